// Light reflected by surfaces and shaded samples: Blinn-Phong, one light, two-sided.
const float light_ambient = 0.25, light_diffuse = 0.75, light_specular = 0.25, light_shininess = 40.0;

// `normal` and `direction` (of the ray, away from the eye) have length 1. Both sides of a surface look alike, so that
// noise in the sign of a normal across the ray does not show.
vec3 lit(vec3 color, vec3 normal, vec3 direction, vec3 light) {
  float diffuse = abs(dot(normal, light));
  float specular = pow(abs(dot(normal, normalize(light - direction))), light_shininess);
  return color * (light_ambient + light_diffuse * diffuse) + light_specular * specular;
}
