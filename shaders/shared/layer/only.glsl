// The framebuffer holds one layer: there is nothing to choose.
void choose_layer(int layer) {}
