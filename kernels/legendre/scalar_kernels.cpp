#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>

namespace armilla::kernels {

// Each is made in a file of its own.
template <int G>
bool launch_synthesis(const ScalarStage&, const PairSection&, const FieldGroups&, const DeltaNumbers&, StreamHandle);
template <int G>
bool launch_adjoint(const ScalarStage&, const PairSection&, const FieldGroups&, const DeltaNumbers&, StreamHandle);
extern template bool launch_synthesis<1>(const ScalarStage&, const PairSection&, const FieldGroups&,
                                         const DeltaNumbers&, StreamHandle);
extern template bool launch_synthesis<2>(const ScalarStage&, const PairSection&, const FieldGroups&,
                                         const DeltaNumbers&, StreamHandle);
extern template bool launch_synthesis<4>(const ScalarStage&, const PairSection&, const FieldGroups&,
                                         const DeltaNumbers&, StreamHandle);
extern template bool launch_adjoint<1>(const ScalarStage&, const PairSection&, const FieldGroups&, const DeltaNumbers&,
                                       StreamHandle);
extern template bool launch_adjoint<2>(const ScalarStage&, const PairSection&, const FieldGroups&, const DeltaNumbers&,
                                       StreamHandle);

void launch_scalar_synthesis(const ScalarStage& stage, const PairSection& section, const FieldGroups& groups,
                             const DeltaNumbers& delta, StreamHandle stream) {
  if (block_count(stage, section, groups) == 0) return;
  const bool done = groups.together == 1   ? launch_synthesis<1>(stage, section, groups, delta, stream)
                    : groups.together == 2 ? launch_synthesis<2>(stage, section, groups, delta, stream)
                    : groups.together == 4 ? launch_synthesis<4>(stage, section, groups, delta, stream)
                                           : false;
  if (!done) refuse_choice("Legendre synthesis", section, groups);
}

void launch_scalar_adjoint(const ScalarStage& stage, const PairSection& section, const FieldGroups& groups,
                           const DeltaNumbers& delta, StreamHandle stream) {
  if (block_count(stage, section, groups) == 0) return;
  const bool done = groups.together == 1   ? launch_adjoint<1>(stage, section, groups, delta, stream)
                    : groups.together == 2 ? launch_adjoint<2>(stage, section, groups, delta, stream)
                                           : false;
  if (!done) refuse_choice("Legendre adjoint", section, groups);
}

}  // namespace armilla::kernels
