// The host's own tables: defaults, and every message about a wrong key, type, range or unit.
#include "config/read.hpp"
#include "unit/config/config_test_folder.hpp"

namespace sluice::config {
namespace {

TEST_F(ConfigTest, config_fills_in_defaults) {
    const PipelineSpec spec = load(kShortest);
    EXPECT_EQ(spec.name, "a");
    EXPECT_EQ(spec.seed, 0);
    EXPECT_TRUE(spec.deterministic);
    EXPECT_FALSE(spec.data.workers.has_value());
    EXPECT_FALSE(spec.data.validation.has_value());
    EXPECT_TRUE(spec.metrics.empty());
    EXPECT_EQ(spec.rate, 1e-3);
    EXPECT_EQ(spec.schedule.use, ScheduleKind::constant);
    EXPECT_EQ(spec.precision.use, "float32");
    EXPECT_EQ(spec.strategy.use, "single");
    ASSERT_EQ(spec.devices.size(), 1u);
    EXPECT_EQ(spec.devices[0].use, "cpu");
    EXPECT_TRUE(spec.kernels.empty());
    ASSERT_EQ(spec.observers.size(), 3u);
    EXPECT_EQ(spec.observers[2].component.use, "images");
    EXPECT_EQ(spec.train.epochs, 1);
    EXPECT_FALSE(spec.train.steps.has_value());
    EXPECT_TRUE(spec.evaluate_every.epochs);
    EXPECT_EQ(spec.checkpoint.keep, 3);
}

TEST_F(ConfigTest, config_reads_every_key) {
    const PipelineSpec spec =
        load(with("batch = 4", "batch = 4\nworkers = 0\nprefetch = \"auto\"") +
             "rate = 2\nbeta1 = 0.8\n[metrics]\nuse = [\"psnr\", { use = \"ssim\", window = 7 }]\n"
             "[schedule]\nuse = \"step\"\nfactor = 0.5\nevery_epochs = 2\nwarmup = 0.25\n"
             "[device]\nuse = [\"cuda\", \"cpu\"]\nkernels = \"reference\"\n"
             "[train]\nepochs = 3\nsteps = 50\n[evaluate]\nevery = \"200 steps\"\n"
             "[observe]\nuse = []\n[checkpoint]\nevery = \"2 epochs\"\nkeep = 1\nmonitor = \"ssim\"\n"
             "[data.validation]\nsource = { use = \"photos\" }\n");
    EXPECT_EQ(spec.data.workers, 0);
    EXPECT_EQ(spec.rate, 2.0);
    EXPECT_EQ(*spec.optimizer.options.find("beta1")->as_float(), 0.8);
    EXPECT_EQ(spec.metrics[1].use, "ssim");
    EXPECT_EQ(*spec.metrics[1].options.find("window")->as_int(), 7);
    EXPECT_EQ(spec.schedule.factor, 0.5);
    EXPECT_EQ(spec.schedule.step_epochs, 2);
    EXPECT_EQ(spec.schedule.warmup, 0.25);
    EXPECT_EQ(spec.devices[0].use, "cuda");
    EXPECT_EQ(spec.kernels[0].use, "reference");
    EXPECT_EQ(spec.train.steps, 50);
    EXPECT_FALSE(spec.evaluate_every.epochs);
    EXPECT_EQ(spec.evaluate_every.count, 200);
    EXPECT_TRUE(spec.observers.empty());
    EXPECT_EQ(spec.checkpoint.every.count, 2);
    EXPECT_EQ(spec.checkpoint.monitor, "ssim");
}

TEST_F(ConfigTest, the_run_holds_for_an_observer_only_if_its_table_says_so) {
    const PipelineSpec spec =
        load(std::string(kShortest) +
             "[observe]\nuse = [\"progress\", { use = \"metrics\", hold = true, every_steps = 5 }, "
             "{ use = \"images\", hold = false }]\n");
    ASSERT_EQ(spec.observers.size(), 3U);
    EXPECT_FALSE(spec.observers[0].hold);
    EXPECT_TRUE(spec.observers[1].hold);
    EXPECT_FALSE(spec.observers[2].hold);
    EXPECT_EQ(spec.observers[1].component.options.find("hold"), nullptr);
    EXPECT_EQ(*spec.observers[1].component.options.find("every_steps")->as_int(), 5);
    EXPECT_TRUE(
        load(std::string(kShortest) + "[observe]\nuse = { use = \"metrics\", hold = true }\n").observers[0].hold);
    EXPECT_THROW((void)load(std::string(kShortest) + "[observe]\nuse = [{ use = \"metrics\", hold = 1 }]\n"), Error);
}

TEST_F(ConfigTest, config_shares_the_memory_for_data) {
    EXPECT_FALSE(load(kShortest).data.train.cache_bytes.has_value());
    constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
    const auto with_maps = [](const std::string& train, const std::string& validation) {
        std::string text = with("batch = 4", "batch = 4\nmemory = \"2 GiB\"");
        text.replace(text.find("{ use = \"random_flip\" }"), 23, train);
        return text + "[data.validation]\nsource = { use = \"photos\" }\nmap = [" + validation + "]\n";
    };
    using Shares = std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>;
    const auto shares = [&](const std::string& train, const std::string& validation) {
        const DataSpec data = load(with_maps(train, validation)).data;
        EXPECT_EQ(data.memory, 2048 * kMebibyte);
        return Shares(data.train.cache_bytes, data.validation->cache_bytes);
    };
    const std::string open = "{ use = \"cache\" }";
    const std::string on_disk = "{ use = \"cache\", in = \"disk\" }";
    const std::string small = "{ use = \"cache\", budget = \"512 MiB\" }";
    const std::string large = "{ use = \"cache\", in = \"memory\", budget = \"1.5 GiB\" }";
    EXPECT_EQ(shares("", on_disk), Shares());
    EXPECT_EQ(shares(open, ""), Shares(1024 * kMebibyte, std::nullopt));
    EXPECT_EQ(shares(open, on_disk), Shares(1024 * kMebibyte, std::nullopt));
    EXPECT_EQ(shares(open, open), Shares(512 * kMebibyte, 512 * kMebibyte));
    EXPECT_EQ(shares(small, open), Shares(512 * kMebibyte, 1024 * kMebibyte));
    EXPECT_EQ(shares("", large), Shares(std::nullopt, 1536 * kMebibyte));
    const DataSpec rest = load(with_maps(small, open)).data;
    EXPECT_EQ(rest.train.sample_bytes, 512 * kMebibyte / 3 * 2 / 2);
    EXPECT_EQ(rest.train.batch_bytes, rest.train.sample_bytes);
    EXPECT_EQ(rest.validation->sample_bytes, 512 * kMebibyte / 3 / 2);
    EXPECT_EQ(rest.validation->batch_bytes, rest.validation->sample_bytes);
    EXPECT_EQ(load(with("batch = 4", "batch = 4\nmemory = \"2 GiB\"")).data.train.sample_bytes, 1024 * kMebibyte);
    EXPECT_EQ(refusal(with_maps(large, small)),
              "a.toml:4:1: data.memory is 2.0 GiB, but the caches in memory take up to 2.0 GiB; limit them to three "
              "quarters of data.memory, so that batches have room");
    EXPECT_EQ(
        refusal(with_maps(open, large)),
        "a.toml:4:1: data.memory is 2.0 GiB, but the caches in memory take up to 2.5 GiB (caches without a "
        "'budget' take half of data.memory); limit them to three quarters of data.memory, so that batches have room");
    EXPECT_EQ(refusal(with("batch = 4", "batch = 4\nmemory = 2")),
              "a.toml:4:1: data.memory is an integer (2); a size with its unit such as \"2 GiB\" is needed");
}

TEST_F(ConfigTest, config_names_the_table_that_a_key_belongs_to) {
    EXPECT_EQ(refusal(with("[model]\n", "[model]\nkernels = [\"onednn\"]\n")),
              "a.toml:8:1: unknown key 'kernels' in [model]; one of: use, name, input, target, range, image_mean, "
              "image_std, weights, names, "
              "parameters, layers, blocks; 'kernels' "
              "belongs to [device]");
    const std::pair<std::string, std::string> others[] = {
        {kShortest + "[train]\nworkers = 1\n", "; 'workers' belongs to [data]"},
        {"batch = 2\n" + kShortest, "; 'batch' belongs to [data]"},
        {kShortest + "[train]\nreplicas = 2\n", "; 'replicas' belongs to [strategy]"},
        {kShortest + "[device]\nreplicas = 2\n", "; 'replicas' belongs to [strategy]"},
        {"replicas = 2\n" + kShortest, "; 'replicas' belongs to [strategy]"},
        {kShortest + "[evaluate]\nseed = 1\n", "; 'seed' belongs to the top of the file, above all tables"},
        {kShortest + "[train]\nmetrics = 1\n",
         "; 'metrics' belongs to the top of the file, above all tables, as the table [metrics]"},
        {kShortest + "[[train]]\nepochs = 1\n", "a table, in single brackets [train], is needed"}};
    for (const auto& [text, part] : others) {
        EXPECT_NE(refusal(text).find(part), std::string::npos) << refusal(text);
    }
}

TEST_F(ConfigTest, config_names_the_nearest_key) {
    EXPECT_EQ(refusal(with("batch = 4", "  prefech = 4")),
              "a.toml:3:3: unknown key 'prefech' in [data]; did you mean 'prefetch'?");
    EXPECT_EQ(refusal(with("map = ", "mapp = ")),
              "a.toml:6:1: unknown key 'mapp' in [data.train]; did you mean 'map'?");
    EXPECT_EQ(refusal(kShortest + "[evalute]\n"),
              "a.toml:18:2: unknown key 'evalute' in the pipeline; did you mean 'evaluate'?");
    EXPECT_EQ(refusal(kShortest + "[evaluate]\nfrequency = 1\n"),
              "a.toml:19:1: unknown key 'frequency' in [evaluate]; one of: every");
}

TEST_F(ConfigTest, config_refuses_a_key_of_another_schedule) {
    EXPECT_EQ(refusal(kShortest + "[schedule]\nuse = \"cosine\"\nfactor = 0.5\n"),
              "a.toml:20:1: unknown key 'factor' in [schedule]; one of: use, epochs, steps, warmup, final");
}

TEST_F(ConfigTest, config_says_what_is_missing) {
    EXPECT_EQ(refusal(with("version = 1", "")), "a.toml:1:1: the pipeline has no 'version'; an integer is needed");
    EXPECT_EQ(refusal(with("version = 1", "verison = 1")),
              "a.toml:1:1: the pipeline has no 'version'; an integer is needed; did you mean 'verison' at a.toml:1:1?");
    EXPECT_EQ(refusal(with("[loss]\nuse = \"mean_absolute_error\"\n", "")),
              "a.toml:1:1: the pipeline has no 'loss'; a table with 'use' is needed");
    EXPECT_EQ(refusal(with("[optimizer]\nuse = \"adam\"\n", "")),
              "a.toml:1:1: the pipeline has no 'optimizer'; a table with 'use' is needed");
    EXPECT_EQ(refusal(with("use = \"adam\"", "rate = 1")), "a.toml:16:2: [optimizer] has no 'use'; a string is needed");
    EXPECT_EQ(refusal(with("source = { use", "source = { uses")),
              "a.toml:5:1: [data.train.source] has no 'use'; a string is needed; did you mean 'uses' at a.toml:5:12?");
    EXPECT_EQ(
        refusal(with("source = {", "sorce = {")),
        "a.toml:4:7: [data.train] has no 'source'; a table with 'use' is needed; did you mean 'sorce' at a.toml:5:1?");
    EXPECT_EQ(refusal("version = 1\n"), "a.toml:1:1: the pipeline has no 'data'; a table is needed");
    EXPECT_EQ(refusal("version = 1\n[data]\n"), "a.toml:2:2: [data] has no 'train'; a table is needed");
    EXPECT_EQ(refusal(kShortest + "[schedule]\nuse = \"step\"\n"),
              "a.toml:18:2: [schedule] has no 'every_epochs'; an integer of at least 1 is needed");
}

TEST_F(ConfigTest, config_of_the_input_alone_needs_no_model) {
    const std::string data = kShortest.substr(0, kShortest.find("[model]"));
    EXPECT_EQ(refusal(data), "a.toml:1:1: the pipeline has no 'model'; a table is needed");
    const PipelineSpec spec = load_input("a.toml", {});
    EXPECT_EQ(spec.data.batch, 4);
    EXPECT_EQ(spec.model.input, "");
    EXPECT_EQ(spec.resolved.find("model"), nullptr);
    load(kShortest);
    EXPECT_EQ(load_input("a.toml", {}).model.input, "blurred");
}

TEST_F(ConfigTest, config_reads_what_is_left_out_to_measure_its_cost) {
    const PipelineSpec spec =
        load(kShortest + "[what_if]\nreplay_batches = 4\nrepeat_samples = 32\nskip_upload = true\n");
    EXPECT_EQ(spec.what_if.replay_batches, 4);
    EXPECT_EQ(replayed_batches(spec), 4);
    EXPECT_EQ(spec.what_if.repeat_samples, 32);
    EXPECT_TRUE(spec.what_if.skips_upload);
    EXPECT_NE(spec.resolved.find("what_if"), nullptr);
    const PipelineSpec more = load(kShortest + "[what_if]\nskip_network = true\nskip_exchange = true\n");
    EXPECT_TRUE(more.what_if.skips_network);
    EXPECT_TRUE(more.what_if.skips_exchange);
    EXPECT_TRUE(more.what_if.leaves_work_out());
    EXPECT_FALSE(load(kShortest + "[what_if]\ncache_folder = \"a\"\n").what_if.leaves_work_out());
    const PipelineSpec plain = load(kShortest);
    EXPECT_FALSE(plain.what_if.leaves_work_out());
    EXPECT_EQ(plain.resolved.find("what_if"), nullptr);
    EXPECT_EQ(replayed_batches(load(kShortest + "[train]\noverfit_one_batch = true\n")), 1);
    EXPECT_EQ(refusal(kShortest + "[what_if]\nrepeat_samples = -1\n"),
              "a.toml:19:1: what_if.repeat_samples is -1; an integer of at least 0 is needed");
}

TEST_F(ConfigTest, config_reads_how_a_step_is_made) {
    const PipelineSpec spec = load(kShortest +
                                   "clip_norm = 0.5\n[train]\naccumulate = 4\nema = 0.999\noverfit_one_batch = true\n"
                                   "[device]\npin = true\n");
    EXPECT_EQ(spec.clip_norm, 0.5);
    EXPECT_EQ(spec.train.accumulate, 4);
    EXPECT_EQ(spec.train.ema, 0.999);
    EXPECT_TRUE(spec.train.overfit_one_batch);
    EXPECT_TRUE(spec.pin);
    EXPECT_TRUE(spec.optimizer.options.entries().empty());
    const PipelineSpec plain = load(kShortest);
    EXPECT_EQ(plain.clip_norm, 0.0);
    EXPECT_EQ(plain.train.accumulate, 1);
    EXPECT_EQ(plain.train.ema, 0.0);
    EXPECT_EQ(refusal(kShortest + "clip_norm = -1\n"),
              "a.toml:18:1: optimizer.clip_norm is -1; a number of at least 0 is needed");
    EXPECT_EQ(refusal(kShortest + "[train]\naccumulate = 0\n"),
              "a.toml:19:1: train.accumulate is 0; an integer of at least 1 is needed");
    EXPECT_EQ(refusal(kShortest + "[train]\nema = 1.0\n"),
              "a.toml:19:1: train.ema is 1.0; a number from 0 to 0.999999 is needed");
    EXPECT_EQ(refusal(kShortest + "[train]\naccumulated = 2\n"),
              "a.toml:19:1: unknown key 'accumulated' in [train]; did you mean 'accumulate'?");
}

TEST_F(ConfigTest, config_scales_the_rate_only_if_scale_from_is_given) {
    const PipelineSpec spec = load(kShortest + "scale_rate = \"linear\"\nscale_from = 32\n");
    EXPECT_EQ(spec.scale_rate, RateScale::linear);
    EXPECT_EQ(spec.scale_from, 32);
    EXPECT_EQ(load(kShortest).scale_rate, RateScale::none);
    EXPECT_EQ(load(kShortest + "scale_rate = \"none\"\nscale_from = 32\n").scale_rate, RateScale::none);
    EXPECT_EQ(refusal(kShortest + "scale_rate = \"linear\"\n"),
              "a.toml:16:2: [optimizer] has no 'scale_from'; an integer of at least 1 is needed");
    EXPECT_EQ(refusal(kShortest + "scale_from = 32\n"),
              "a.toml:18:1: optimizer.scale_from is 32, but optimizer.scale_rate is not given; set it to "
              "\"linear\" or \"square_root\"");
    EXPECT_EQ(refusal(kShortest + "scale_rate = \"linear\"\nscale_from = 0\n"),
              "a.toml:19:1: optimizer.scale_from is 0; an integer of at least 1 is needed");
    EXPECT_EQ(refusal(kShortest + "scale_rate = \"liner\"\n"),
              "a.toml:18:1: optimizer.scale_rate is \"liner\"; did you mean 'linear'?");
}

TEST_F(ConfigTest, config_reads_how_large_buckets_are) {
    EXPECT_EQ(load(kShortest).sharing.bucket, std::nullopt);
    EXPECT_EQ(load(kShortest + "[strategy]\nbucket = \"auto\"\n").sharing.bucket, std::nullopt);
    EXPECT_EQ(load(kShortest + "[strategy]\nbucket = \"1 MiB\"\n").sharing.bucket, std::uint64_t{1} << 20);
    EXPECT_EQ(
        refusal(kShortest + "[strategy]\nbucket = \"some\"\n"),
        "a.toml:19:1: strategy.bucket is a string (\"some\"); a size with its unit such as \"2 GiB\", or \"auto\", is "
        "needed");
}

TEST_F(ConfigTest, config_refuses_threads_of_micro_shards_that_are_not_there) {
    EXPECT_EQ(load(kShortest + "[strategy]\nmicro_shards = 4\nshard_threads = 8\n").sharing.shard_threads, 8);
    EXPECT_EQ(load(kShortest + "[strategy]\nmicro_shards = \"auto\"\nshard_threads = 1\n").sharing.shard_threads, 1);
    EXPECT_EQ(refusal(kShortest + "[strategy]\nuse = \"single\"\nshard_threads = 8\n"),
              "a.toml:20:1: strategy.shard_threads is 8, but there are no micro-shards; set strategy.micro_shards, for "
              "example to 4, or leave shard_threads out");
}

TEST_F(ConfigTest, config_measures_nothing_if_bits_must_be_the_same_for_any_number_of_replicas) {
    const std::string cut = "[strategy]\nmicro_shards = 4\n";
    EXPECT_TRUE(load(kShortest).measure);
    EXPECT_FALSE(load(kShortest + cut).measure);
    EXPECT_TRUE(load(kShortest + cut + "[device]\nmeasure = true\n").measure);
    EXPECT_TRUE(load("deterministic = false\n" + kShortest + cut).measure);
}

TEST_F(ConfigTest, config_reads_the_length_of_a_schedule) {
    EXPECT_FALSE(load(kShortest).schedule.length.has_value());
    const PipelineSpec steps = load(kShortest + "[schedule]\nuse = \"cosine\"\nsteps = 500\n");
    EXPECT_EQ(steps.schedule.length->count, 500);
    EXPECT_FALSE(steps.schedule.length->epochs);
    EXPECT_TRUE(load(kShortest + "[schedule]\nepochs = 5\n").schedule.length->epochs);
    EXPECT_EQ(refusal(kShortest + "[schedule]\nepochs = 5\nsteps = 500\n"),
              "a.toml:20:1: schedule.steps: the schedule's length is given in epochs too; keep one of the two");
}

TEST_F(ConfigTest, config_reads_a_plateau_schedule) {
    const std::string validated = with("[model]", "[data.validation]\nsource = { use = \"dead_leaves\" }\n[model]") +
                                  "[metrics]\nuse = \"psnr\"\n";
    const PipelineSpec spec = load(validated +
                                   "[schedule]\nuse = \"plateau\"\nfactor = 0.5\npatience = 2\n"
                                   "threshold = 0.01\nmin_rate = 1e-6\nmonitor = \"psnr\"\n");
    EXPECT_EQ(spec.schedule.factor, 0.5);
    EXPECT_EQ(spec.schedule.patience, 2);
    EXPECT_EQ(spec.schedule.threshold, 0.01);
    EXPECT_EQ(spec.schedule.min_rate, 1e-6);
    EXPECT_EQ(spec.schedule.monitor, "psnr");
    EXPECT_EQ(refusal(validated + "[schedule]\nuse = \"plateau\"\nmonitor = \"psrn\"\n"),
              "a.toml:24:1: schedule.monitor is \"psrn\", which this pipeline does not measure; did you mean 'psnr'?");
    EXPECT_EQ(refusal(kShortest + "[schedule]\nuse = \"plateau\"\n"),
              "a.toml:19:1: schedule.use is \"plateau\", which needs evaluations; add [data.validation]");
}

TEST_F(ConfigTest, config_refuses_a_monitor_without_evaluations) {
    EXPECT_EQ(refusal(kShortest + "[checkpoint]\nmonitor = \"loss\"\n"),
              "a.toml:19:1: checkpoint.monitor is \"loss\", which needs evaluations; add [data.validation]");
}

TEST_F(ConfigTest, config_refuses_another_version) {
    EXPECT_EQ(refusal(with("version = 1", "version = 2")), "a.toml:1:1: version is 2; this host reads version 1");
}

TEST_F(ConfigTest, config_says_what_type_is_needed) {
    EXPECT_EQ(refusal(with("batch = 4", "batch = \"8\"")),
              "a.toml:3:1: data.batch is a string (\"8\"); an integer is needed");
    EXPECT_EQ(refusal(with("batch = 4", "batch = 1.5")),
              "a.toml:3:1: data.batch is a number (1.5); an integer is needed");
    EXPECT_EQ(refusal(with("batch = 4", "workers = \"many\"")),
              "a.toml:3:1: data.workers is a string (\"many\"); an integer from 0 to 1024, or \"auto\", is needed");
    EXPECT_EQ(refusal(with("version = 1", "version = 1\ndeterministic = 1")),
              "a.toml:2:1: deterministic is an integer (1); true or false is needed");
    EXPECT_EQ(refusal(with("\"blurred\"", "[\"blurred\"]")),
              "a.toml:8:1: model.input is an array ([\"blurred\"]); a string is needed");
    EXPECT_EQ(refusal(with("\"blurred\"", "\"\"")), "a.toml:8:1: model.input is an empty string");
    EXPECT_EQ(refusal(with("[loss]\nuse = \"mean_absolute_error\"\n", ""), {"loss=mse"}),
              "--set loss=mse: loss is a string (\"mse\"); a table is needed");
    EXPECT_EQ(refusal(kShortest + "rate = \"fast\"\n"),
              "a.toml:18:1: optimizer.rate is a string (\"fast\"); a number is needed");
    EXPECT_EQ(refusal(kShortest + "[metrics]\nuse = [1]\n"),
              "a.toml:19:8: metrics.use.0 is an integer (1); a name, or a table with 'use', is needed");
}

TEST_F(ConfigTest, config_says_what_range_is_needed) {
    EXPECT_EQ(refusal(with("batch = 4", "batch = 0")),
              "a.toml:3:1: data.batch is 0; an integer of at least 1 is needed");
    EXPECT_EQ(refusal(with("batch = 4", "workers = -1")),
              "a.toml:3:1: data.workers is -1; an integer from 0 to 1024 is needed");
    EXPECT_EQ(refusal(kShortest + "rate = 0\n"), "a.toml:18:1: optimizer.rate is 0; a number above 0 is needed");
    EXPECT_EQ(refusal(kShortest + "rate = inf\n"), "a.toml:18:1: optimizer.rate is inf; a number above 0 is needed");
    EXPECT_EQ(refusal(kShortest + "[train]\nepochs = 0\n"),
              "a.toml:19:1: train.epochs is 0; an integer of at least 1 is needed");
    EXPECT_EQ(refusal(kShortest + "[schedule]\nuse = \"step\"\nfactor = 2\n"),
              "a.toml:20:1: schedule.factor is 2; a number above 0 and at most 1 is needed");
    EXPECT_EQ(refusal(kShortest + "[schedule]\nwarmup = 5\n"),
              "a.toml:19:1: schedule.warmup is 5; a number from 0 to 1 is needed");
}

TEST_F(ConfigTest, config_reads_shares_and_lengths_with_units) {
    EXPECT_EQ(load(kShortest + "[schedule]\nwarmup = \"12.5%\"\n").schedule.warmup, 0.125);
    EXPECT_EQ(
        refusal(kShortest + "[schedule]\nwarmup = \"500 steps\"\n"),
        "a.toml:19:1: schedule.warmup is \"500 steps\"; a share from \"0 %\" to \"100 %\", or from 0 to 1, is needed");
    EXPECT_EQ(refusal(kShortest + "[schedule]\nwarmup = true\n"),
              "a.toml:19:1: schedule.warmup is a boolean (true); a share like \"5 %\" or 0.05 is needed");
    EXPECT_EQ(refusal(kShortest + "[evaluate]\nevery = \"1 epok\"\n"),
              "a.toml:19:1: evaluate.every is \"1 epok\"; a length like \"1 epoch\" or \"200 steps\" is needed");
    EXPECT_EQ(refusal(kShortest + "[checkpoint]\nevery = \"0 steps\"\n"),
              "a.toml:19:1: checkpoint.every is \"0 steps\"; a length like \"1 epoch\" or \"200 steps\" is needed");
}

TEST_F(ConfigTest, config_names_the_nearest_schedule_and_metric) {
    EXPECT_EQ(refusal(kShortest + "[schedule]\nuse = \"cosin\"\n"),
              "a.toml:19:1: schedule.use is \"cosin\"; did you mean 'cosine'?");
    EXPECT_EQ(
        refusal(kShortest + "[metrics]\nuse = \"psnr\"\n[checkpoint]\nmonitor = \"pnsr\"\n"),
        "a.toml:21:1: checkpoint.monitor is \"pnsr\", which this pipeline does not measure; did you mean 'psnr'?");
}

TEST_F(ConfigTest, config_refuses_a_name_that_is_no_folder) {
    EXPECT_EQ(refusal(with("version = 1", "version = 1\nname = \"../a\"")),
              "a.toml:2:1: name is \"../a\"; use only letters, digits, '.', '_' and '-', and no '.' in front");
}

TEST_F(ConfigTest, config_needs_a_device) {
    EXPECT_EQ(refusal(kShortest + "[device]\nuse = []\n"),
              "a.toml:19:1: device.use is empty; at least one name is needed");
}

}  // namespace
}  // namespace sluice::config
