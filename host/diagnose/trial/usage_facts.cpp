#include "diagnose/trial/usage_facts.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "base/files.hpp"
#include "config/cache_entry.hpp"
#include "data/cache/cache.hpp"
#include "diagnose/trial/disk_rate.hpp"
#include "diagnose/trial/mean.hpp"
#include "history/usage_rows.hpp"

namespace sluice::diagnose {
namespace {

// The slope of a line through points, and its standard error.
std::pair<double, double> slope_of(const std::vector<double>& x, const std::vector<double>& y) {
    const double mean_x = mean(x);
    const double mean_y = mean(y);
    double xx = 0.0;
    double xy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    if (x.size() < 3 || !(xx > 0.0)) {
        return {0.0, 0.0};
    }
    const double slope = xy / xx;
    double rest = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double off = y[i] - mean_y - slope * (x[i] - mean_x);
        rest += off * off;
    }
    return {slope, std::sqrt(rest / static_cast<double>(x.size() - 2) / xx)};
}

// Adds the growth of memory with each step. A training takes memory at its start, so only growth that goes on counts:
// the smaller slope of the two last thirds.
void add_growth(const std::vector<double>& steps, const std::vector<double>& bytes, Facts& facts) {
    std::vector<double> x;
    std::vector<double> y;
    for (std::size_t i = 0; i < std::min(steps.size(), bytes.size()); ++i) {
        if (!std::isnan(steps[i]) && !std::isnan(bytes[i])) {
            x.push_back(steps[i]);
            y.push_back(bytes[i]);
        }
    }
    const auto slope_between = [&](std::size_t begin, std::size_t end) {
        const auto part = [&](const std::vector<double>& values) {
            return std::vector(values.begin() + static_cast<std::ptrdiff_t>(begin),
                               values.begin() + static_cast<std::ptrdiff_t>(end));
        };
        return slope_of(part(x), part(y));
    };
    const std::size_t third = x.size() / 3;
    const auto earlier = slope_between(third, 2 * third);
    const auto later = slope_between(2 * third, x.size());
    std::tie(facts.growth, facts.growth_error) = std::min(earlier, later);
    facts.growth -= facts.cache_growth;
}

// The folder of caches on disk: that of the pipeline, or the default one.
std::filesystem::path disk_cache_folder(const config::PipelineSpec& spec) {
    const auto& map = spec.data.train.map;
    const auto cache = std::ranges::find_if(
        map, [](const config::ComponentSpec& entry) { return config::is_cache(entry) && config::is_on_disk(entry); });
    const data::CacheOptions options = cache != map.end()
                                           ? data::read_cache_options(*cache)
                                           : data::CacheOptions{.on_disk = true, .folder = {}, .budget = {}};
    return nearest_folder(data::folder_of(options).value_or("."));
}

// Memory caches without a budget share half of data.memory.
double room_in_memory(const config::DataSpec& data, std::uint64_t available) {
    constexpr double kShare = 0.25;
    if (!data.memory) {
        return kShare * static_cast<double>(available);
    }
    if (data.train.cache_bytes) {
        return static_cast<double>(*data.train.cache_bytes);
    }
    const bool is_shared = data.validation && data.validation->cache_bytes;
    return static_cast<double>(*data.memory) / (is_shared ? 4.0 : 2.0);
}

}  // namespace

void add_usage(const Laboratory::Watched& watched, Facts& facts) {
    std::ifstream in(watched.run / "usage.csv");
    history::UsageRows rows;
    for (std::string line; std::getline(in, line);) {
        rows.add_line(line);
    }
    // The first row has the start of the training.
    const auto after_start = [&](const char* name) {
        std::vector<double> values = rows.column(name);
        if (values.size() > 1) {
            values.erase(values.begin());
        }
        return values;
    };
    const auto usual = [&](const char* name) {
        std::vector<double> values = after_start(name);
        std::erase_if(values, [](double value) { return std::isnan(value); });
        return mean(values);
    };
    facts.cores_computing = usual("cpu_compute");
    facts.cores_input = usual("cpu_input");
    facts.cores_observers = usual("cpu_observers");
    facts.cores_other = usual("cpu_other") + usual("cpu_exchange");
    facts.run_queue = usual("run_queue");
    facts.disk_read = usual("disk_read_bytes");
    facts.disk_write = usual("disk_write_bytes");
    const std::vector<double> resident = after_start("resident_bytes");
    const bool is_known = !resident.empty() && !std::isnan(resident.back());
    facts.resident = is_known ? static_cast<std::uint64_t>(resident.back()) : 0;
    add_growth(after_start("step"), resident, facts);
}

// The disk is measured only if its speed matters: samples that fit into memory stay there.
void add_room(const config::PipelineSpec& spec, Facts& facts) {
    const std::filesystem::path folder = disk_cache_folder(spec);
    std::error_code failed;
    const std::filesystem::space_info space = std::filesystem::space(folder, failed);
    facts.cache_room = room_in_memory(spec.data, facts.available);
    facts.disk_room = failed ? 0.0 : static_cast<double>(space.available);
    const auto largest = std::ranges::max_element(facts.input, {}, &InputStage::bytes);
    if (largest != facts.input.end() && largest->bytes * facts.epoch_samples > static_cast<double>(facts.available)) {
        facts.disk_rate = disk_read_rate(folder);
    }
}

}  // namespace sluice::diagnose
