#include "projectors/emission/gl_facing.hpp"

namespace backlit::gl {

template <class F>
void GlFacingEmission::timed(const char* name, F&& f) {
  passes_.context().make_current();
  const Pass pass(passes_.timings(), name);
  f();
  glBindSampler(0, 0);
  glBindSampler(1, 0);
}

std::int64_t GlFacingEmission::planes_at_once(std::int64_t views) {
  passes_.context().make_current();
  return passes_.planes_at_once(views);
}

void GlFacingEmission::begin(std::span<const std::int64_t> views, const PlaneBlock& block) {
  batch_ = passes_.batch_of(views, block);
  timed("clear planes", [&] { passes_.clear_planes(batch_); });
}

void GlFacingEmission::sample_matter(const Box& box, const DeviceArray& matter) {
  timed("sample planes", [&] { passes_.sample(batch_, box, as_gl(matter), EmissionPasses::Shown::matter); });
}

void GlFacingEmission::sample_activity(const Box& box, const DeviceArray& activity) {
  timed("sample planes", [&] { passes_.sample(batch_, box, as_gl(activity), EmissionPasses::Shown::activity); });
}

void GlFacingEmission::composite(DeviceArray& images) {
  timed("project emission", [&] { passes_.take_on(batch_, as_gl(images), [&] { passes_.forward(batch_); }); });
}

void GlFacingEmission::give(DeviceArray& images) {
  timed("backproject emission", [&] { passes_.take_on(batch_, as_gl(images), [&] { passes_.back(batch_); }); });
}

void GlFacingEmission::gather(const Box& box, DeviceArray& activity) {
  timed("gather emission", [&] { passes_.gather(batch_, box, as_gl(activity)); });
}

}  // namespace backlit::gl
