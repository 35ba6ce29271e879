"""What the paper measured on two phones, predicted and laid beside the printed numbers.

Start here: `exhibits` lists the tables, figures and sections, each made by the module of its name out of a `setting`:
devices, and passes of BFCL's calls (`workload`) under a `reading` of what the paper leaves open. `exhibit` says what a
cell is, `printed` has the paper's numbers, `summary` how far off predictions are. `open_points` lists experiments on
what the paper leaves open or says twice. `page` and `written_study` put it all on one page and into data.
"""
