//! Tests the release build of the plugin: it keeps the contract, and its pipeline trains. $SLUICE names the program if
//! it is not on the PATH.
use std::path::Path;
use std::process::Command;

/// Runs a program in the project's folder, so that the pipeline finds files next to it.
fn run(program: &str, arguments: &[&str]) {
    let status = Command::new(program)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status();
    let status = status.unwrap_or_else(|error| panic!("{} cannot be started: {}", program, error));
    assert!(
        status.success(),
        "{} {}: {}",
        program,
        arguments.join(" "),
        status
    );
}

/// Returns what a program prints; None if it does not exist or fails.
fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .ok()
        .filter(|output| output.status.success());
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// Checks the file as sluice_add_plugin() does: one export, a manifest, libraries that others have. It needs sluice-dev
/// and CMake, and is skipped without them.
fn look_at(plugin: &str) {
    match (
        output_of("pkg-config", &["--variable=cmakedir", "sluice"]),
        output_of("cmake", &["--version"]),
    ) {
        (Some(folder), Some(_)) => run(
            "cmake",
            &[
                &format!("-DPLUGIN={}", plugin),
                "-P",
                &format!("{}/CheckSluicePlugin.cmake", folder),
            ],
        ),
        _ => println!(
            "{} was not checked after linking: that needs sluice-dev, pkg-config and CMake",
            plugin
        ),
    }
}

#[test]
fn it_is_built_keeps_the_contract_and_trains() {
    let sluice = std::env::var("SLUICE").unwrap_or_else(|_| "sluice".to_string());
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (manifest, pipeline) = (project.join("Cargo.toml"), project.join("pipeline.toml"));
    let plugin = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .unwrap()
        .join("release/libexample.so");
    let plugin = plugin.to_str().unwrap();
    run(
        env!("CARGO"),
        &[
            "build",
            "--release",
            "--manifest-path",
            manifest.to_str().unwrap(),
        ],
    );
    look_at(plugin);
    run(&sluice, &["check", plugin]);
    run(
        &sluice,
        &[
            "train",
            pipeline.to_str().unwrap(),
            "--plugin",
            plugin,
            "--steps",
            "20",
            "--runs",
            env!("CARGO_TARGET_TMPDIR"),
        ],
    );
}
