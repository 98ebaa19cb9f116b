// SPDX-License-Identifier: Apache-2.0
#include "fedstein/experiment/execute.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <semaphore>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

#include "fedstein/experiment/job.h"
#include "fedstein/experiment/job_details.h"
#include "fedstein/experiment/pace.h"
#include "fedstein/experiment/plane_map.h"
#include "fedstein/experiment/trained.h"
#include "fedstein/federated/transport.h"
#include "fedstein/files/file_error.h"
#include "fedstein/numeric/parallel.h"
#include "fedstein/posterior/posterior_file.h"

namespace fedstein {
namespace {

std::string label_of(const Job& job) {
  return job.case_plan->name + ": " + job.algorithm->label + ", trial " + std::to_string(job.trial);
}

// Case after case and trial after trial, so that neighbouring jobs read the same rows.
template <typename Visit>
void for_each_job(const Plan& plan, const Visit& visit) {
  for (const CasePlan& case_plan : plan.cases) {
    for (Index trial = 1; trial <= plan.trials; ++trial) {
      for (const AlgorithmPlan& algorithm : case_plan.algorithms) {
        Job job{&case_plan, &algorithm, trial, trial_seed(plan.seed, trial)};
        job.maps = trial == 1 && is_mapped(plan, case_plan);
        visit(job);
      }
    }
  }
}

int threads_of(const ExecuteOptions& options) {
  return options.threads > 0 ? options.threads : available_threads();
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The right to keep a core busy, waited for and given back.
class Core {
 public:
  explicit Core(std::counting_semaphore<>& cores) : cores_(&cores) { cores.acquire(); }
  ~Core() { give_back(); }
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  void give_back() {
    if (cores_ != nullptr) std::exchange(cores_, nullptr)->release();
  }

 private:
  std::counting_semaphore<>* cores_;
};

class Execution {
 public:
  Execution(const Plan& plan, RunStore& store, RunId run, DataShelf& shelf, const ExecuteOptions& options)
      : plan_(plan), store_(store), options_(options), shelf_(shelf), threads_(threads_of(options)), cores_(threads_) {
    std::map<std::tuple<std::string, std::string, Index>, StoredJob> stored;
    for (StoredJob& job : store.jobs(run)) {
      std::tuple key(job.facts.case_name, job.facts.algorithm, job.facts.trial);
      stored.emplace(std::move(key), std::move(job));
    }
    for_each_job(plan, [&](Job job) {
      const auto found = stored.find({job.case_plan->name, job.algorithm->label, job.trial});
      if (found == stored.end()) throw StoreError("the store has no job '" + label_of(job) + "' of this run");
      job.id = found->second.id;
      add(job, found->second.status);
    });
    progress_.rounds_before = progress_.rounds_done;
  }

  RunEnd run() {
    // While there are jobs for all, each keeps to its own thread: that is the best use of the cores. The last ones may
    // spread over cores that have nothing left to do.
    limit_ = std::make_unique<ThreadLimit>(1);
    const ThreadLimit ceiling(threads_);
    // While a job that is done waits for the disk, another has its core. One at a time is meant literally.
    const int spare = threads_ > 1 ? threads_ : 0;
    std::vector<std::thread> workers;
    for (int i = 0; i < threads_ + spare; ++i) workers.emplace_back([this] { work(); });
    for (std::thread& worker : workers) worker.join();
    store_.flush();
    if (broken_) std::rethrow_exception(broken_);
    return {.complete = waiting_.empty() && !stopped_, .failed_jobs = failed_};
  }

 private:
  void add(const Job& job, JobStatus status) {
    ++progress_.jobs;
    progress_.rounds += job.algorithm->rounds;
    if (status == JobStatus::kWaiting) {
      const auto checkpoint = store_.last_checkpoint(job.id);
      waiting_.push_back(job);
      waiting_.back().begun = checkpoint.has_value();
      if (checkpoint) progress_.rounds_done += checkpoint->round;
      return;
    }
    ++progress_.jobs_done;
    progress_.rounds_done += job.algorithm->rounds;
    if (status == JobStatus::kFailed) ++failed_;
  }

  bool asked_to_stop() const { return options_.stop.stop_requested(); }

  bool next(Job& job) {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty() || asked_to_stop() || broken_) {
      limit_.reset();
      return false;
    }
    const auto chosen = longest_from(without_waiting());
    job = *chosen;
    waiting_.erase(chosen);
    preparing_.insert(job.case_plan->dataset.name);
    return true;
  }

  // The first job whose dataset nobody is reading or dividing at the moment: who would have to wait for that does
  // something else meanwhile. Where there is nothing else, the first. Needs the lock.
  std::deque<Job>::iterator without_waiting() {
    const Job* last = nullptr;  // neighbours read the same rows: the shelf is asked once for all of them
    bool held = false;
    const auto chosen = std::find_if(waiting_.begin(), waiting_.end(), [&](const Job& job) {
      if (!preparing_.contains(job.case_plan->dataset.name)) return true;
      if (last == nullptr || last->case_plan != job.case_plan || last->seed != job.seed) {
        held = shelf_.holds(*job.case_plan, job.seed);
        last = &job;
      }
      return held;
    });
    return chosen == waiting_.end() ? waiting_.begin() : chosen;
  }

  // Of this job and those after it that read the same rows, the one that will take longest. Needs the lock.
  std::deque<Job>::iterator longest_from(std::deque<Job>::iterator first) {
    if (threads_ == 1) return first;
    const auto end = std::find_if(first, waiting_.end(), [&](const Job& job) {
      return job.case_plan != first->case_plan || job.seed != first->seed;
    });
    const auto seconds = [&](const Job& job) { return pace_.seconds(job.algorithm->label, job.algorithm->rounds); };
    return std::max_element(first, end, [&](const Job& a, const Job& b) { return seconds(a) < seconds(b); });
  }

  std::shared_ptr<const TrialData> rows_of(const Job& job) {
    const auto prepared = [this](const std::string* name) {
      const std::lock_guard lock(mutex_);
      preparing_.erase(preparing_.find(*name));
    };
    const std::unique_ptr<const std::string, decltype(prepared)> done(&job.case_plan->dataset.name, prepared);
    auto rows = shelf_.trial(*job.case_plan, job.seed);
    if (is_last_of_its_data(job)) shelf_.release(job.case_plan->dataset);
    return rows;
  }

  // Whether no job that is left reads the same file of the user's.
  bool is_last_of_its_data(const Job& job) {
    if (!job.case_plan->dataset.own_file) return false;
    const std::lock_guard lock(mutex_);
    return std::none_of(waiting_.begin(), waiting_.end(), [&](const Job& other) {
      return DataShelf::reads_the_same(other.case_plan->dataset, job.case_plan->dataset);
    });
  }

  void work() {
    try {
      while (true) {
        Core core(cores_);
        Job job;
        if (!next(job)) return tidy();
        perform(job, core);
      }
    } catch (...) {  // the store is broken, or memory is out: nothing that one job could be blamed for
      const std::lock_guard lock(mutex_);
      broken_ = std::current_exception();
    }
  }

  // A large set takes a while to give back: while others still work, and unless one of them is about to take it.
  void tidy() {
    {
      const std::lock_guard lock(mutex_);
      if (!waiting_.empty() || !preparing_.empty()) return;
    }
    shelf_.clear();
  }

  void perform(const Job& job, Core& core) {
    JobOptions how{.checkpoint_seconds = options_.checkpoint_seconds, .stop = options_.stop};
    Index done = job.algorithm->rounds;  // a plateau may end it earlier
    how.on_round = [&](Index round) {
      done = round;
      report(job, 1, 0);
    };
    try {
      const auto data = rows_of(job);
      how.on_last_round = [&, begin = Clock::now()] {
        core.give_back();
        const std::lock_guard lock(mutex_);
        pace_.note(job.algorithm->label, job.algorithm->rounds, seconds_since(begin));
      };
      if (!options_.posterior_folder.empty() && job.trial == 1 && has_posterior(*job.case_plan)) {
        how.on_end = [&, data](const Particles& particles) { write_posterior(job, *data, particles, done); };
      }
      if (run_job(job, *data, store_, how) == JobEnd::kStopped) {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        return;
      }
    } catch (const StoreError&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      store_.finish_job(job.id, error.what());
      const std::lock_guard lock(mutex_);
      ++failed_;
      done = job.algorithm->rounds;
    }
    {
      const std::lock_guard lock(mutex_);
      progress_.rounds -= job.algorithm->rounds - done;
    }
    report(job, 0, 1);
  }

  // A method that diverged has nothing to predict with; its figures say so.
  void write_posterior(const Job& job, const TrialData& data, const Particles& particles, Index rounds) {
    if (!particles.allFinite()) return;
    const TrainedJob trained{&plan_, job.case_plan, job.algorithm, job.trial, rounds};
    const Posterior posterior = posterior_of(trained, data, particles);
    const std::string coefficients = coefficients_detail(posterior, *plan_.registry);
    if (!coefficients.empty()) store_.write_detail(job.id, kCoefficientsDetail, coefficients);
    try {
      save_posterior(posterior,
                     options_.posterior_folder + "/" + posterior_file_name(trained),
                     posterior_output(),
                     *trained.plan->registry);
    } catch (const FileError& problem) {  // a disk that takes nothing is not this job's fault
      throw StoreError(problem.what());
    }
  }

  void report(const Job& job, Index rounds, Index jobs) {
    const std::lock_guard lock(mutex_);
    progress_.rounds_done += rounds;
    progress_.jobs_done += jobs;
    if (!options_.on_progress) return;
    progress_.seconds = seconds_since(start_);
    progress_.label = label_of(job);
    options_.on_progress(progress_);
  }

  const Plan& plan_;
  RunStore& store_;
  const ExecuteOptions& options_;
  DataShelf& shelf_;
  const int threads_;
  std::counting_semaphore<> cores_;  // of threads_, those that nobody keeps busy
  Clock::time_point start_ = Clock::now();
  std::mutex mutex_;  // of all below
  std::deque<Job> waiting_;
  std::multiset<std::string> preparing_;  // datasets of the jobs that do not have their rows yet
  std::unique_ptr<ThreadLimit> limit_;
  Progress progress_;
  Pace pace_;
  Index failed_ = 0;
  bool stopped_ = false;
  std::exception_ptr broken_;
};

}  // namespace

RunId begin_run(const Plan& plan, RunStore& store, const std::string& command) {
  RunFacts facts{.name = plan.name,
                 .title = plan.title,
                 .document = plan.document,
                 .configuration = to_json(plan),
                 .version = FEDSTEIN_VERSION,
                 .precision = FEDSTEIN_REAL_IS_DOUBLE ? "double" : "float",
                 .seed = plan.seed,
                 .host = host_facts(),
                 .command = command};
  std::vector<JobFacts> jobs;
  for_each_job(plan, [&](const Job& job) {
    jobs.push_back({job.case_plan->name,
                    job.algorithm->label,
                    job.trial,
                    job.algorithm->rounds,
                    job.algorithm->method->centralised});
  });
  return store.begin(facts, jobs);
}

RunEnd execute(const Plan& plan, RunStore& store, RunId run, DataShelf& shelf, const ExecuteOptions& options) {
  const RunEnd end = Execution(plan, store, run, shelf, options).run();
  if (end.complete) store.finish_run(run);
  return end;
}

}  // namespace fedstein
