// The vertex shader chooses a polygon's layer.
#extension GL_ARB_shader_viewport_layer_array : require
void choose_layer(int layer) { gl_Layer = layer; }
