// An instance draws one view of the pass.
int view_drawn(int number) { return first_view + number * view_stride; }
