// The vertex shader chooses the layer that a polygon is drawn to.
#extension GL_ARB_shader_viewport_layer_array : require
void choose_layer(int layer) { gl_Layer = layer; }
