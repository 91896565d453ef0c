// A geometry shader chooses the layer that a polygon is drawn to: drivers without the extension need one.
flat out int layer_of_polygon;
void choose_layer(int layer) { layer_of_polygon = layer; }
