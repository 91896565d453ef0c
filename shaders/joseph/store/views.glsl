// A sum belongs to a pixel of a view.
ivec2 pixels_summed() { return imageSize(projections).xy; }
int view_summed(int number) { return first_view + number * view_stride; }
bool runs_through(RayRows r) { return r.more.x != 0.0; }

void add_sum(ivec2 pixel, int number, float sum) { add(ivec3(pixel, first_layer + number * layer_stride), sum); }
