#include <armilla/job/step_run.hpp>

#include <algorithm>
#include <utility>

namespace armilla::job {

template <class T>
typename StepRun<T>::Alm& StepRun<T>::make_alm(std::size_t number) {
  const ValueInfo& info = result_info(number);
  Value<T>& value = values_[planned().results[number]];
  local("allocate", [&] { value.template emplace<Alm>(info.kind, info.alm, comm_.rank(), 1); });
  return std::get<Alm>(value);
}

template <class T>
typename StepRun<T>::Map& StepRun<T>::make_map(std::size_t number) {
  const ValueInfo& info = result_info(number);
  Value<T>& value = values_[planned().results[number]];
  local("allocate", [&] { value.template emplace<Map>(info.kind, info.pixels, comm_.rank(), 1); });
  return std::get<Map>(value);
}

template <class T>
typename StepRun<T>::Alm& StepRun<T>::take_alm() {
  const ValueInfo& info = result_info();
  Value<T>& from = values_[planned().operands.front()];
  Value<T>& value = values_[planned().results.front()];
  if (is_in_place(plan_, index_)) {
    value = std::exchange(from, Value<T>());
    return std::get<Alm>(value);
  }
  Alm& made = value.template emplace<Alm>(info.kind, info.alm, comm_.rank(), 1);
  std::ranges::copy(std::get<Alm>(from).data(), made.data().begin());
  return made;
}

template <class T>
typename StepRun<T>::Map& StepRun<T>::take_map() {
  const ValueInfo& info = result_info();
  Value<T>& from = values_[planned().operands.front()];
  Value<T>& value = values_[planned().results.front()];
  if (is_in_place(plan_, index_)) {
    value = std::exchange(from, Value<T>());
    return std::get<Map>(value);
  }
  const Map& original = std::get<Map>(from);
  Map& made = value.template emplace<Map>(info.kind, info.pixels, comm_.rank(), original.maps());
  std::ranges::copy(original.data(), made.data().begin());
  return made;
}

template class StepRun<float>;
template class StepRun<double>;

}  // namespace armilla::job
