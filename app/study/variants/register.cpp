#include "study/variants/register.hpp"

#include <algorithm>

#include <backlit/core/error.hpp>
#include <backlit/projectors/projector.hpp>
#include "gl/variant_text.hpp"
#include "study/variants/gl_variants.hpp"

namespace backlit {
namespace {

bool any(const std::string&) { return true; }  // the parser checks the text

/// The product's descriptor, extended by variants.
ProjectorInfo studied(const char* device, Model model) {
  ProjectorInfo info = *find_projector(device, model);
  info.studied = true;
  info.require = {};  // the makers of variants check the options
  info.knows = any;
  return info;
}

using RayMaker = gl::OperatorPtr (*)(Backend&, const VolumeGrid&, const Scan&, const CtOptions&,
                                     const gl::ProjectionVariant&);

void register_rays(Model model, RayMaker make, std::vector<CtOptions> (*variants)()) {
  ProjectorInfo info = studied("gl", model);
  info.variants = variants;
  info.make = [make](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return make(backend, grid, scan, options, gl::parse_projection(options));
  };
  register_projector(std::move(info));
}

void register_backprojection() {
  ProjectorInfo info = studied("gl", Model::voxel_driven);
  info.variants = gl::backprojection_variants;
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return gl::make_voxel_driven(backend, grid, scan, options, gl::parse_backprojection(options.variant));
  };
  register_projector(std::move(info));
}

/// Registers tables of summed areas: "bz" shares corners among neighbours, "bl" looks up each footprint.
void register_areas() {
  ProjectorInfo info = studied("gl", Model::branchless_dd);
  info.knows = [](const std::string& variant) { return variant == "bz" || variant == "bl"; };
  info.variants = [] {
    std::vector<CtOptions> all;
    for (const Precision precision : {Precision::exact, Precision::fast})
      for (const char* text : {"bz", "bl"})
        all.push_back({Model::branchless_dd, precision, Packing::none, Weighting::none, text});
    return all;
  };
  info.make = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const CtOptions& options) {
    return gl::make_branchless_dd(backend, grid, scan, options, options.variant == "bl");
  };
  register_projector(std::move(info));
}

void register_emission() {
  ProjectorInfo info = studied("gl", Model::emission);
  info.emission_variants = gl::emission_variants;
  info.make_emission = [](Backend& backend, const VolumeGrid& grid, const Scan& scan,
                          std::span<const float> attenuation, const EmissionOptions& options) {
    return gl::make_emission(backend, grid, scan, attenuation, options, gl::parse_emission(options.variant));
  };
  register_projector(std::move(info));
}

void register_lines() {
  ProjectorInfo info = studied("gl", Model::lines_of_response);
  info.make_lines = [product = info.make_lines](Backend& backend, const VolumeGrid& grid, const LineList& lines,
                                                const LineOptions& options) {
    LineOptions mine = options;
    if (options.variant != "draw=fragment" && options.variant != "draw=compute")
      throw Unsupported("variant", fmt::format("'{}' is not offered", options.variant),
                        "choose draw=fragment or draw=compute");
    mine.pipeline = options.variant == "draw=fragment" ? Pipeline::fragment : Pipeline::compute;
    return product(backend, grid, lines, mine);
  };
  register_projector(std::move(info));
}

/// Registers references in double for gl's variants: the product's operators with other options.
void register_in_double(Model model, std::vector<const char*> names, void (*choose)(CtOptions&)) {
  ProjectorInfo info = studied("cpu", model);
  info.knows = [names](const std::string& variant) { return std::ranges::find(names, variant) != names.end(); };
  info.variants = [model, names] {
    std::vector<CtOptions> all;
    for (const char* text : names) all.push_back({model, Precision::exact, Packing::none, Weighting::none, text});
    return all;
  };
  info.make = [product = info.make, choose](Backend& backend, const VolumeGrid& grid, const Scan& scan,
                                            const CtOptions& options) {
    CtOptions mine = options;
    choose(mine);
    return product(backend, grid, scan, mine);
  };
  register_projector(std::move(info));
}

void register_sart_in_double() {
  ProjectorInfo info = studied("cpu", Model::sart_in_place);
  info.in_place_variants = {"in_place", "in_place,matched"};
  info.knows = [](const std::string& variant) { return variant == "in_place" || variant == "in_place,matched"; };
  info.make_in_place = [product = info.make_in_place](Backend& backend, const VolumeGrid& grid, const Scan& scan,
                                                      const ViewSartOptions& options) {
    return product(backend, grid, scan, {options.matched || options.variant == "in_place,matched"});
  };
  register_projector(std::move(info));
}

}  // namespace

void register_studied_variants() {
  static const bool once = [] {
    register_backprojection();
    register_rays(Model::joseph, gl::make_joseph, gl::joseph_variants);
    register_rays(Model::siddon, gl::make_siddon, gl::siddon_variants);
    register_rays(Model::raycast, gl::make_raycast, gl::raycast_variants);
    register_rays(Model::blob, gl::make_blob, gl::blob_variants);
    register_areas();
    register_emission();
    register_lines();
    register_in_double(Model::joseph, {"stack=ray", "stack=view"}, [](CtOptions& o) {
      o.stack = o.variant == "stack=view" ? StackChoice::view : StackChoice::ray;
    });
    register_in_double(Model::voxel_driven, {"interpolation=linear", "interpolation=nearest"}, [](CtOptions& o) {
      o.interpolation = o.variant == "interpolation=nearest" ? Interpolation::nearest : Interpolation::linear;
    });
    register_sart_in_double();
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace backlit
