// A plane of slices as quads. Where views look in both directions along the axis it is two slices, at equal distances
// from the two ends.
uniform int axis;  // slices are perpendicular to it
uniform int plane;
uniform int planes;
uniform int volume_layers;  // of the volume's texture
uniform int directions;  // 1: some views look towards larger slices; 2: some towards smaller

// An instance is a layer of a slice: moves `corner` (0 or 1 along either side of a layer) to the slice's voxels there.
int to_plane(inout vec2 corner) {
  int layers = axis == 2 ? 1 : volume_layers, number = gl_InstanceID / layers;
  int far = planes - 1 - plane, slice = directions == 2 || number == 1 ? plane : far;
  if (number == 1 && plane == far) corner = vec2(2.0);  // the same slice, drawn already
  else if (axis < 2) corner[axis] = (float(slice) + corner[axis]) / float(planes);
  return axis == 2 ? slice : gl_InstanceID % layers;
}
