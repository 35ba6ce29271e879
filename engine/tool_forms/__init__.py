"""The forms in which tools are declared, one file each, all read into `engine.tools.Tool`.

Start with `form`, which tells them apart, and `definition`, the steps that they share. `reading` takes whole files.
`openai`, `mcp`, `anthropic`, `bfcl`, `droidcall` and `app_functions` read JSON; `pydantic_model` and `python_function`
read Python. In every form in JSON, `"x-read-only": true` or `false` says whether the tool only reads.
"""

from engine.tool_forms.bfcl import tool_from_bfcl
from engine.tool_forms.form import read_tool
from engine.tool_forms.reading import ReadTools, parse_tools, read_tools

__all__ = ["ReadTools", "parse_tools", "read_tool", "read_tools", "tool_from_bfcl"]
