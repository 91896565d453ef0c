// The list of all methods.
#pragma once

#include <deque>

#include <backlit/recon/method.hpp>

namespace backlit {

/// The engine's methods, then those that programs have registered.
std::deque<MethodInfo>& all_methods();

// Each method has its own file, NAME.cpp.
MethodInfo fdk_method(), iterative_fdk_method(), sirt_method(), sart_method(), sart_in_place_method(), ossart_method(),
    fista_method(), cgls_method(), pcg_method(), pwls_method(), tv_method(), pdhg_method(), asdpocs_method(),
    mlem_method(), osem_method(), helical_fdk_method();

}  // namespace backlit
