// The grid lies in front of every view's source.
const bool source_inside = false;
