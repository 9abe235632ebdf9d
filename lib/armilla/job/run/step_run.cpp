#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/log.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/run/left_out.hpp>
#include <armilla/job/run/step_run.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace armilla::job {

template <class T>
void StepRun<T>::leave_out(const std::vector<ops::MapFault>& faults, const std::string& key) {
  Place at = place();
  if (!key.empty()) at.path += "." + key;
  if (!plan_.campaign || !planned().per_item) complain(at, {}, faults.front().reason);
  job::leave_out<T>(
      comm_, plan_, at, faults,
      [&](const ops::MapFault& fault) {
        return SkippedMap{.step = at.path, .reason = plan_.spec.word({.text = fault.reason})};
      },
      values_, batch_, record_);
}

template <class T>
void StepRun<T>::without_faulty(const std::string& key, const std::function<void()>& work) {
  // Each iteration leaves out a map. A further failure would have another cause.
  for (Index turn = 0; turn < batch_.maps; ++turn) {
    try {
      return work();
    } catch (const ops::MapFaults& found) {
      leave_out(found.faults(), key);
    }
  }
  work();
}

template <class T>
void StepRun<T>::warn(const std::string& text, std::optional<Index> place_in_batch) {
  if (place_in_batch && !batch_.is_there(*place_in_batch)) return;
  std::string map;
  if (place_in_batch && plan_.campaign && planned().per_item)
    map = fmt::format("map {}: ", plan_.campaign->labels[static_cast<std::size_t>(batch_.first + *place_in_batch)]);
  record_.warnings.push_back(plan_.spec.word(error_at(place(), {}, map + text)));
  if (record_.logs) core::log().warn("{}", record_.warnings.back());
}

template <class T>
template <class Field, class... Shape>
Field& StepRun<T>::make(std::size_t number, const Shape&... shape) {
  Field* made = nullptr;
  local("allocate", [&] {
    made = &values_[planned().results[number]].template emplace<Field>(result_info(number).kind, shape..., batch_.maps);
  });
  return *made;
}

template <class T>
typename StepRun<T>::Alm& StepRun<T>::make_alm(std::size_t number) {
  return make<Alm>(number, result_info(number).alm, comm_.rank());
}

template <class T>
typename StepRun<T>::Map& StepRun<T>::make_map(std::size_t number) {
  return make<Map>(number, result_info(number).pixels, comm_.rank());
}

template <class T>
typename StepRun<T>::Values& StepRun<T>::make_values(const std::shared_ptr<const points::LocalPoints>& places,
                                                     std::size_t number) {
  return make<Values>(number, places);
}

template <class T>
template <class Field, class Distribution>
Field& StepRun<T>::take(const Distribution& distribution) {
  Value<T>& from = values_[planned().operands.front()];
  Value<T>& value = values_[planned().results.front()];
  if (is_in_place(plan_, index_)) {
    value = std::exchange(from, Value<T>());
    return *value.template find_own<Field>();
  }
  Field& made = value.template emplace<Field>(result_info().kind, distribution, comm_.rank(), batch_.maps);
  const auto source = from.template get<Field>().data();
  for (auto rest = made.data(); !rest.empty(); rest = rest.subspan(source.size()))
    std::ranges::copy(source, rest.begin());
  return made;
}

template <class T>
typename StepRun<T>::Alm& StepRun<T>::take_alm() {
  return take<Alm>(result_info().alm);
}

template <class T>
typename StepRun<T>::Map& StepRun<T>::take_map() {
  return take<Map>(result_info().pixels);
}

ARMILLA_INSTANTIATE_CLASS(StepRun);

}  // namespace armilla::job
