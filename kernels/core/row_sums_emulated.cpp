#include <kernels/core/host_team.hpp>
#include <kernels/core/row_sums_body.hpp>

namespace armilla::kernels {

namespace {

template <class T>
void launch(const RowSumsBody<T>& body) {
  for (Index block = 0; block < body.blocks(); ++block) {
    HostTeam<typename RowSumsBody<T>::Lane, typename RowSumsBody<T>::Shared> team(kRowSumThreads);
    body.run(team, block);
  }
}

}  // namespace

void sum_rows(const RowSumsTask<double>& task, StreamHandle) { launch(RowSumsBody<double>{task}); }
void sum_rows(const RowSumsTask<float>& task, StreamHandle) { launch(RowSumsBody<float>{task}); }

}  // namespace armilla::kernels
