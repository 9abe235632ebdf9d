#pragma once

#include <armilla/job/parse/parse_job.hpp>
#include <armilla/job/plan/device_plan.hpp>
#include <armilla/job/run_job.hpp>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <job/job_folder.hpp>

namespace armilla::job {

/// Jobs in a folder that all ranks share. What an earlier run of the same campaign did is computed again. Each job
/// checks its devices, because results of checks are not kept for groups made by duplicate().
class DeviceJob : public testing::Test {
 protected:
  DeviceJob() : world_(comm::Communicator::world().duplicate()) {
    if (world_.is_root()) {
      own_ = std::make_unique<test::JobFolder>();
      own_->spectra("dl.dat");
    }
    folder_ = world_.broadcast(own_ ? own_->path("") : std::string());
    options_.verbosity = Verbosity::kQuiet;
    options_.restart = true;
  }
  ~DeviceJob() override { world_.barrier(); }

  /// Collective. The path of the job file; version 1 is written in front of the body.
  std::string job_file(const std::string& body) const {
    if (own_) own_->text("job.yaml", "version: 1\n" + body);
    world_.barrier();
    return folder_ + "job.yaml";
  }

  /// Collective. What the job needs of devices as they are; `batch` 0: as the job says.
  DevicePlan planned(const std::string& body, Index batch = 0) const {
    JobPlan plan = plan_job(world_, read_job(world_, job_file(body), options_.overrides));
    if (batch > 0) set_batch(plan, batch);
    choose_device_work(world_, plan, world_.rank());
    return *plan.device;
  }

  std::string bytes_of(const std::string& file) const {
    std::ifstream in(folder_ + file, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
  }

  comm::Communicator world_;
  std::unique_ptr<test::JobFolder> own_;
  std::string folder_;
  RunOptions options_;
};

}  // namespace armilla::job
