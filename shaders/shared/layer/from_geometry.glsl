// A geometry shader chooses a polygon's layer, for drivers without the extension.
flat out int layer_of_polygon;
void choose_layer(int layer) { layer_of_polygon = layer; }
