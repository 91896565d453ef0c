// In some view a part of the grid lies beside or behind the source: it gets nothing from that view.
const bool source_inside = true;
