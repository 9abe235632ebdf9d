#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>

#include <type_traits>
#include <utility>

#include <kernels/fft/cufft_library.hpp>
#include <kernels/fft/fft_plan.hpp>

namespace armilla::kernels {

std::shared_ptr<const CufftLibrary> load_cufft(const std::string& file) {
  return std::make_shared<const CufftLibrary>(file);
}

template <class T>
struct FftPlan<T>::Handle {
  explicit Handle(std::shared_ptr<const CufftLibrary> library) : cufft(std::move(library)) {
    check(cufft->create(&plan), "creating a plan");
  }
  ~Handle() { cufft->destroy(plan); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  void use(void* new_work, StreamHandle new_stream) {
    if (!used || new_stream != stream) check(cufft->set_stream(plan, new_stream), "setting the stream");
    if (!used || new_work != work) check(cufft->set_work_area(plan, new_work), "setting the workspace");
    used = true;
    work = new_work;
    stream = new_stream;
  }

  std::shared_ptr<const CufftLibrary> cufft;
  cufftHandle plan{};

 private:
  bool used = false;
  void* work = nullptr;
  StreamHandle stream = nullptr;
};

template <class T>
FftPlan<T>::FftPlan(std::shared_ptr<const CufftLibrary> library, Index length, Index lines)
    : handle_(std::make_unique<Handle>(std::move(library))) {
  const CufftLibrary& cufft = *handle_->cufft;
  check(cufft.set_auto_allocation(handle_->plan, 0), "disabling automatic workspace allocation");
  long long size = length;
  std::size_t bytes = 0;
  constexpr cufftType kType = std::is_same_v<T, float> ? CUFFT_C2C : CUFFT_Z2Z;
  check(cufft.make_plan_many(handle_->plan, 1, &size, nullptr, 1, length, nullptr, 1, length, kType, lines, &bytes),
        "planning a transform");
  work_bytes_ = static_cast<Index>(bytes);
}

template <class T>
FftPlan<T>::~FftPlan() = default;
template <class T>
FftPlan<T>::FftPlan(FftPlan&&) noexcept = default;
template <class T>
FftPlan<T>& FftPlan<T>::operator=(FftPlan&&) noexcept = default;

template <class T>
void FftPlan<T>::run(DevicePointer<T> values, FftDirection direction, DevicePointer<char> work,
                     StreamHandle stream) const {
  if (work == nullptr) throw core::InternalError("a transform on the GPU without workspace");
  const CufftLibrary& cufft = *handle_->cufft;
  const int sign = direction == FftDirection::kForward ? CUFFT_FORWARD : CUFFT_INVERSE;
  handle_->use(work.address(), stream);
  if constexpr (std::is_same_v<T, float>) {
    auto* numbers = reinterpret_cast<cufftComplex*>(values.address());
    check(cufft.run_single(handle_->plan, numbers, numbers, sign), "a transform");
  } else {
    auto* numbers = reinterpret_cast<cufftDoubleComplex*>(values.address());
    check(cufft.run_double(handle_->plan, numbers, numbers, sign), "a transform");
  }
}

ARMILLA_INSTANTIATE_CLASS(FftPlan);

}  // namespace armilla::kernels
