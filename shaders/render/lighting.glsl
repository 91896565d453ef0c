// How surfaces and shaded samples reflect light: Blinn-Phong, one light, two-sided.
const float light_ambient = 0.25, light_diffuse = 0.75, light_specular = 0.25, light_shininess = 40.0;

// `normal` and `direction` (of the ray, away from the eye) have length 1.
vec3 lit(vec3 color, vec3 normal, vec3 direction, vec3 light) {
  vec3 facing = dot(normal, direction) > 0.0 ? -normal : normal;
  vec3 halfway = normalize(light - direction);
  float diffuse = max(dot(facing, light), 0.0), specular = pow(max(dot(facing, halfway), 0.0), light_shininess);
  return color * (light_ambient + light_diffuse * diffuse) + light_specular * specular;
}
