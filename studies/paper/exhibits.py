"""All tables, figures and sections of the paper that are predicted, in the paper's order."""

from collections.abc import Callable

from studies.paper.exhibit import Exhibit
from studies.paper.figure_3 import figure_3
from studies.paper.figure_4 import figure_4
from studies.paper.figure_11 import figure_11
from studies.paper.figure_12 import figure_12
from studies.paper.figure_13 import figure_13
from studies.paper.figure_14 import figure_14
from studies.paper.section_2_2 import section_2_2
from studies.paper.section_4_2 import section_4_2
from studies.paper.section_4_3 import section_4_3
from studies.paper.section_5 import section_5
from studies.paper.section_7 import section_7
from studies.paper.section_9 import section_9
from studies.paper.setting import Setting
from studies.paper.table_1 import table_1
from studies.paper.table_2 import table_2
from studies.paper.table_3 import table_3
from studies.paper.table_4 import table_4
from studies.paper.table_5 import table_5
from studies.paper.table_6 import table_6
from studies.paper.table_7 import table_7
from studies.paper.table_8 import table_8
from studies.paper.table_9 import table_9
from studies.paper.table_10 import table_10

EXHIBITS: tuple[Callable[[Setting], Exhibit], ...] = (
    *(table_1, table_2, table_3, table_4, table_5, table_6, table_7, table_8, table_9, table_10),
    *(figure_3, figure_4, figure_11, figure_12, figure_13, figure_14),
    *(section_2_2, section_4_2, section_4_3, section_5, section_7, section_9),
)
"""Each makes one of them under a setting."""
