#include "model/actions/random_actions.hpp"

namespace backlit::viewer {

Action random_action(Model& model, std::mt19937& random) {
  static const std::vector<const ActionInfo*> rows = [] {
    std::vector<const ActionInfo*> list;
    for (const ActionInfo& info : action_table())
      if (info.random) list.push_back(&info);
    return list;
  }();
  return rows[random() % rows.size()]->random(model, random);
}

}  // namespace backlit::viewer
