// For some view a part of the grid lies beside or behind the source: that part gets nothing from it.
const bool source_inside = true;
