#include <kernels/rings/chirps_body.hpp>
#include <kernels/rings/fold_body.hpp>
#include <kernels/rings/pixels_body.hpp>
#include <kernels/rings/short_rings_body.hpp>
#include <kernels/rings/spectra_body.hpp>

namespace armilla::kernels {

namespace {

template <class Body, class T>
void for_each_number(const Body& body, const SpectraTask<T>& task) {
  for (Index m = task.m_begin; m < task.m_end; ++m)
    for (Index i = 0; i < task.numbers; ++i) body(m, i);
}
template <class T>
void for_each_square(const SquaresBody<T>& body) {
  for (Index i = 0; i < body.numbers(); ++i) body(0, i);
}

}  // namespace

void fold(const FoldTask<float, const float>& task, StreamHandle) { fold_on_host(task); }
void fold(const FoldTask<double, const double>& task, StreamHandle) { fold_on_host(task); }
void unfold(const FoldTask<float, float>& task, StreamHandle) { unfold_on_host(task); }
void unfold(const FoldTask<double, double>& task, StreamHandle) { unfold_on_host(task); }

void write_pixels(const PixelTask<float, float>& task, StreamHandle) { run_on_host<WritePixels<float>>(task); }
void write_pixels(const PixelTask<double, double>& task, StreamHandle) { run_on_host<WritePixels<double>>(task); }
void read_pixels(const PixelTask<float, const float>& task, StreamHandle) { run_on_host<ReadPixels<float>>(task); }
void read_pixels(const PixelTask<double, const double>& task, StreamHandle) { run_on_host<ReadPixels<double>>(task); }

void make_chirps(const ChirpTask<float>& task, StreamHandle) { make_chirps_on_host(task); }
void make_chirps(const ChirpTask<double>& task, StreamHandle) { make_chirps_on_host(task); }
void multiply(const ChirpedTask<float>& task, StreamHandle) { run_on_host<Multiply<float>>(task); }
void multiply(const ChirpedTask<double>& task, StreamHandle) { run_on_host<Multiply<double>>(task); }
void combine(const ChirpedTask<float>& task, StreamHandle) { run_on_host<Combine<float>>(task); }
void combine(const ChirpedTask<double>& task, StreamHandle) { run_on_host<Combine<double>>(task); }

void short_synthesis(const ShortSynthesis<float>& task, StreamHandle) { short_synthesis_on_host(task); }
void short_synthesis(const ShortSynthesis<double>& task, StreamHandle) { short_synthesis_on_host(task); }
void short_adjoint(const ShortAdjoint<float>& task, StreamHandle) { short_adjoint_on_host(task); }
void short_adjoint(const ShortAdjoint<double>& task, StreamHandle) { short_adjoint_on_host(task); }

void gather_aliases(const SpectraTask<float>& task, StreamHandle) { for_each_number(GatherBody<float>{task}, task); }
void gather_aliases(const SpectraTask<double>& task, StreamHandle) { for_each_number(GatherBody<double>{task}, task); }
void take_off(const TakeOffTask<float>& task, StreamHandle) { for_each_number(TakeOffBody<float>{task}, task.spectra); }
void take_off(const TakeOffTask<double>& task, StreamHandle) {
  for_each_number(TakeOffBody<double>{task}, task.spectra);
}
void scale(const ScaleTask<float>& task, StreamHandle) { for_each_number(ScaleBody<float>{task}, task.spectra); }
void scale(const ScaleTask<double>& task, StreamHandle) { for_each_number(ScaleBody<double>{task}, task.spectra); }
void squares(const SquaresTask<float>& task, StreamHandle) { for_each_square(SquaresBody<float>{task}); }
void squares(const SquaresTask<double>& task, StreamHandle) { for_each_square(SquaresBody<double>{task}); }

}  // namespace armilla::kernels
