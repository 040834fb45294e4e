//! Packages in folders as `cargo vendor` writes them.

use super::{Files, USER, manifest, user};

const CONFIGURATION: &str = "[source.crates-io]\nreplace-with = \"vendored\"\n\
    [source.vendored]\ndirectory = \"vendor\"\n";

#[test]
fn a_vendored_package_is_found_in_the_version_that_is_locked() {
    let files = Files::new(&[
        ("Cargo.toml", &user("")),
        ("src/lib.rs", USER),
        (".cargo/config.toml", CONFIGURATION),
        (
            "Cargo.lock",
            "[[package]]\nname = \"no-such-scales\"\nversion = \"1.2.0\"\nsource = \"registry+x\"\n",
        ),
    ]);
    assert!(files.run(".").is_err());
    files.package("vendor/no-such-scales", "1.2.5", 5);
    assert!(files.run(".").is_err(), "another version than the locked one");
    files.package("vendor/no-such-scales-1.2.0", "1.2.0", 3);
    // Another package whose name begins like this one's.
    files.write("vendor/no-such-scales-more/Cargo.toml", &manifest("scales-more", ""));
    files.write("vendor/no-such-scales-more/src/lib.rs", "pub fn scale(x: f64) -> f64 { x * 4.0 }");
    assert_eq!(files.run("."), Ok(3.0));
    // Without a lock it is the newest that fits.
    std::fs::remove_file(files.0.join("Cargo.lock")).expect("it is there");
    files.package("vendor/no-such-scales-2.0.0", "2.0.0", 9);
    assert_eq!(files.run("."), Ok(5.0));
}

#[test]
fn the_nearest_configuration_holds_and_circles_end() {
    let files = Files::new(&[("in/Cargo.toml", &user("")), ("in/src/lib.rs", USER)]);
    files.write(".cargo/config.toml", CONFIGURATION);
    files.package("vendor/no-such-scales", "1.2.3", 2);
    files.package("in/near/no-such-scales", "1.2.3", 3);
    assert_eq!(files.run("in"), Ok(2.0));
    files.write("in/.cargo/config", "[source.vendored]\ndirectory = \"near\"\n");
    assert_eq!(files.run("in"), Ok(3.0));
    files.write("in/.cargo/config", "[source.vendored]\nreplace-with = \"crates-io\"\n");
    assert!(files.run("in").is_err());
}

#[test]
fn a_repository_is_replaced_by_its_address() {
    let dependency = "[package]\nname = \"user\"\nedition = \"2021\"\n\
        [dependencies]\nno-such-scales = { git = \"https://github.com/No/Such.git\", branch = \"main\" }\n";
    let source = "[source.\"git+https://github.com/No/Such.git?branch=main\"]\n\
        git = \"https://github.com/No/Such.git\"\nbranch = \"main\"\nreplace-with = \"vendored\"\n\
        [source.vendored]\ndirectory = \"vendor\"\n";
    let files =
        Files::new(&[("Cargo.toml", dependency), ("src/lib.rs", USER), (".cargo/config.toml", source)]);
    files.package("vendor/no-such-scales", "0.3.0", 7);
    assert_eq!(files.run("."), Ok(7.0));
}
