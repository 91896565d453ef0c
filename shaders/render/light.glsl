// The share of light that arrives in a volume (render/light_field.hpp), from the textures of render/gl/light_volume.hpp.
layout(binding = 4) uniform sampler3D direct_light;
layout(binding = 5) uniform sampler3D ambient_light;
uniform float shadow_light;  // in full shadow
uniform float least_light;   // anywhere

bool has_light_field() { return lighting.y > 0.0 || lighting.z > 0.0; }

// At a point (mm from the volume's middle) of a surface or body that faces `outward`.
float arriving(vec3 point, vec3 outward) {
  vec3 at = (point + light_cells.w * outward) * per_box.xyz + 0.5;
  float share = 1.0;
  if (lighting.z > 0.0) {
    float open = min(1.0, 2.0 * textureLod(ambient_light, at, 0.0).r);
    share *= mix(1.0, open * open, lighting.z);
  }
  if (lighting.y > 0.0)
    share *= mix(1.0, shadow_light + (1.0 - shadow_light) * textureLod(direct_light, at, 0.0).r, lighting.y);
  return max(share, least_light);
}

// A normal as long as the light that arrives.
vec3 lit_normal(vec3 point, vec3 normal) { return has_light_field() ? arriving(point, normal) * normal : normal; }
