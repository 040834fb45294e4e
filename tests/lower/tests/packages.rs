//! The code of a dependency is that which cargo would compile, also where a workspace patches it.

#[path = "packages/vendored.rs"]
mod vendored;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use overdub_context::interp::Interpreter;
use overdub_context::value::Value;
use overdub_lower::Loaded;

/// Files in a folder of their own, which is gone afterwards.
struct Files(PathBuf);

impl Files {
    fn new(files: &[(&str, &str)]) -> Files {
        static FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("overdub-packages-{}-{number}", std::process::id()));
        let made = Files(folder);
        files.iter().for_each(|(path, text)| made.write(path, text));
        made
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.0.join(path);
        std::fs::create_dir_all(file.parent().expect("it lies in a folder")).expect("a folder");
        std::fs::write(file, text).expect("a file");
    }

    /// A package whose function `scale` multiplies by a factor.
    fn package(&self, folder: &str, version: &str, factor: u32) {
        let manifest = format!("[package]\nname = \"no-such-scales\"\nversion = \"{version}\"\n");
        self.write(&format!("{folder}/Cargo.toml"), &manifest);
        let text = format!("pub fn scale(x: f64) -> f64 {{ x * {factor}.0 }}");
        self.write(&format!("{folder}/src/lib.rs"), &text);
    }

    /// `f(1.0)` of the package in a folder, or why there is none.
    fn run(&self, folder: &str) -> Result<f64, String> {
        let loaded = Loaded::open(&self.0.join(folder)).map_err(|error| error.to_string())?;
        let function = loaded.function("f").map_err(|error| error.to_string())?;
        let value = Interpreter::new(loaded.module()).run(function.symbol, vec![Value::F64(1.0)]);
        let value = value.map_err(|failure| failure.report().message.to_string())?;
        value.as_f64().ok_or_else(|| format!("{value:?}"))
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const USER: &str = "pub fn f(x: f64) -> f64 { no_such_scales::scale(x) }";

/// A package that depends on version 1.2 of one that no registry has.
fn user(more: &str) -> String {
    format!(
        "[package]\nname = \"user\"\nedition = \"2021\"\n[dependencies]\nno-such-scales = \"1.2\"\n{more}"
    )
}

/// The manifest of a package, which ends in its dependencies or other tables.
fn manifest(name: &str, more: &str) -> String {
    format!(
        "[package]\nname = \"no-such-{name}\"\nversion = \"1.0.0\"\nedition = \"2021\"\n[dependencies]\n{more}"
    )
}

#[test]
fn a_patch_takes_the_place_of_a_published_package() {
    let patch = "[patch.crates-io]\nno-such-scales = { path = \"patched\" }\n";
    let files = Files::new(&[("Cargo.toml", &user(patch)), ("src/lib.rs", USER)]);
    files.package("patched", "1.2.3", 2);
    assert_eq!(files.run("."), Ok(2.0));
    // Several patches of a package have other names; the newest that fits holds.
    let patches = "[patch.crates-io]\n\
        a = { package = \"no-such-scales\", path = \"patched\" }\n\
        b = { package = \"no-such-scales\", path = \"newer\" }\n\
        c = { package = \"no-such-scales\", path = \"next\" }\n";
    files.write("Cargo.toml", &user(patches));
    files.package("newer", "1.4.0", 3);
    files.package("next", "2.0.0", 4);
    assert_eq!(files.run("."), Ok(3.0));
    let unused = "[[patch.unused]]\nname = \"no-such-scales\"\nversion = \"1.4.0\"\n";
    files.write("Cargo.lock", unused);
    assert_eq!(files.run("."), Ok(2.0));
}

#[test]
fn patches_are_those_of_the_workspace_and_of_the_configuration() {
    let patch = "[patch.crates-io]\nno-such-scales = { path = \"patched\" }\n";
    let workspace = format!("[workspace]\nmembers = [\"user\"]\nexclude = [\"apart\"]\n{patch}");
    let files = Files::new(&[("Cargo.toml", &workspace)]);
    files.package("patched", "1.2.3", 2);
    for folder in ["user", "apart"] {
        files.write(&format!("{folder}/Cargo.toml"), &user(""));
        files.write(&format!("{folder}/src/lib.rs"), USER);
    }
    assert_eq!(files.run("user"), Ok(2.0));
    assert!(files.run("apart").is_err());
    files.package("apart/configured", "1.9.0", 3);
    let config = "[patch.crates-io]\nno-such-scales = { path = \"configured\" }\n";
    files.write("apart/.cargo/config.toml", config);
    assert_eq!(files.run("apart"), Ok(3.0));
}

#[test]
fn a_package_is_replaced_in_the_version_that_is_named() {
    let replace = "[replace]\n\"no-such-scales:1.2.3\" = { path = \"other\" }\n";
    let files = Files::new(&[("Cargo.toml", &user(replace)), ("src/lib.rs", USER)]);
    files.package("other", "1.2.3", 5);
    files.write("Cargo.lock", "[[package]]\nname = \"no-such-scales\"\nversion = \"1.2.3\"\n");
    assert_eq!(files.run("."), Ok(5.0));
    files.write("Cargo.lock", "[[package]]\nname = \"no-such-scales\"\nversion = \"1.2.4\"\n");
    assert!(files.run(".").is_err());
}

#[test]
fn what_a_patch_names_and_is_not_there_is_an_error() {
    let files = Files::new(&[("src/lib.rs", USER)]);
    let error = |patch: &str| {
        files.write("Cargo.toml", &user(&format!("[patch.crates-io]\nno-such-scales = {patch}\n")));
        files.run(".").expect_err("it is not there")
    };
    let folder = error("{ path = \"nowhere\" }");
    assert!(folder.contains("`no-such-scales` is patched by `") && folder.contains("nowhere"), "{folder}");
    let commit = error("{ git = \"https://example.org/scales.git\" }");
    assert!(commit.contains("`https://example.org/scales`, whose commit"), "{commit}");
    let registry = error("{ version = \"1.2\", registry = \"ours\" }");
    assert!(registry.contains("by a version in `ours`"), "{registry}");
}

#[test]
fn sources_of_repositories_are_those_of_the_locked_commit() {
    const NAME: &str = "sources_of_repositories_are_those_of_the_locked_commit";
    let address = "https://github.com/Ours/Scales";
    let lock = format!(
        "[[package]]\nname = \"no-such-scales\"\nversion = \"1.2.3\"\n\
        source = \"git+{address}?branch=main#0123456789abcdef0123456789abcdef01234567\"\n"
    );
    let Some(home) = std::env::var_os("OVERDUB_TEST_HOME") else {
        // The folder of cargo is a variable of the whole process.
        let home = Files::new(&[]);
        let checkouts = "git/checkouts/scales-fedcba9876543210";
        home.package(&format!("{checkouts}/1111111/scales"), "1.2.3", 9);
        home.package(&format!("{checkouts}/0123456/scales"), "1.2.3", 7);
        let mut again = Command::new(std::env::current_exe().expect("this runs"));
        again.args(["--exact", NAME]).env("CARGO_HOME", &home.0).env("OVERDUB_TEST_HOME", &home.0);
        assert!(again.status().expect("it runs").success());
        return;
    };
    assert!(Path::new(&home).exists());
    let patch =
        format!("[patch.crates-io]\nno-such-scales = {{ git = \"{address}.git\", branch = \"main\" }}\n");
    let files = Files::new(&[("Cargo.toml", &user(&patch)), ("Cargo.lock", &lock), ("src/lib.rs", USER)]);
    assert_eq!(files.run("."), Ok(7.0));
    let manifest = "[package]\nname = \"user\"\nedition = \"2021\"\n[dependencies.no-such-scales]\n";
    let direct = format!("{manifest}git = \"{address}\"\n");
    files.write("Cargo.toml", &direct);
    assert_eq!(files.run("."), Ok(7.0));
    // A repository is patched under its address.
    let patch = format!("[patch.\"{address}.git\"]\nno-such-scales = {{ path = \"patched\" }}\n");
    files.write("Cargo.toml", &format!("{direct}{patch}"));
    files.package("patched", "1.2.3", 8);
    assert_eq!(files.run("."), Ok(8.0));
}

#[test]
fn what_a_build_script_wrote_is_included() {
    let files = Files::new(&[
        ("user/Cargo.toml", "[package]\nname = \"tables\"\nversion = \"1.0.0\"\nedition = \"2021\"\n"),
        ("user/Cargo.lock", "version = 4\n[[package]]\nname = \"tables\"\nversion = \"1.0.0\"\n"),
        (
            "user/src/lib.rs",
            "include!(concat!(env!(\"OUT_DIR\"), env!(\"TABLE\")));
            const SIDE: f64 = include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/side.in\"));
            pub fn f(x: f64) -> f64 { x * WEIGHTS[1] + SIDE }",
        ),
        ("user/side.in", "0.5"),
    ]);
    let missing = files.run("user").expect_err("nothing was built");
    assert!(missing.contains("WEIGHTS"), "{missing}");
    files.write("user/target/debug/build/tables-0f/output", "cargo:rustc-env=TABLE=/weights.rs\n");
    files.write("user/target/debug/build/tables-0f/out/weights.rs", "const WEIGHTS: [f64; 2] = [1.0, 7.0];");
    assert_eq!(files.run("user"), Ok(7.5));
}

#[test]
fn the_options_that_a_build_script_set_hold_in_its_package() {
    let source = "
        #[cfg(width = \"64\")] fn wide() -> f64 { 64.0 }
        #[cfg(not(width = \"64\"))] fn wide() -> f64 { 32.0 }
        pub fn f(x: f64) -> f64 {
            #[cfg(has_i128)] let x = x + 0.5;
            if cfg!(all(fast, width = \"64\")) && !cfg!(width = \"32\") { x + wide() } else { x }
        }";
    let files = Files::new(&[
        ("user/Cargo.toml", &manifest("switched", "")),
        ("user/Cargo.lock", "version = 4\n[[package]]\nname = \"no-such-switched\"\nversion = \"1.0.0\"\n"),
        ("user/build.rs", "fn main() {}"),
        ("user/src/lib.rs", source),
    ]);
    // Nothing was built: scripts are taken to find what a current compiler has.
    assert_eq!(files.run("user"), Ok(1.5));
    let set = "cargo:rustc-cfg=fast\ncargo::rustc-cfg=width=\"64\"\ncargo:rustc-check-cfg=cfg(has_i128)\n";
    files.write("user/target/debug/build/no-such-switched-0f/output", set);
    assert_eq!(files.run("user"), Ok(65.0));
}

#[test]
fn derive_macros_of_other_packages_run() {
    let sums = "no-such-sums = { path = \"../sums\" }\n";
    let user = |body: &str| {
        format!(
            "use no_such_sums::{{Broken, Maker, Sum}};
            #[derive(Clone, Sum, Maker, Broken)]
            #[cfg_attr(all(), sum(none))]
            struct Parts {{ a: f64, #[sum(twice)] b: f64, #[cfg(any())] c: f64 }}
            fn total<T: Sum>(of: &T) -> f64 {{ of.sum() }}
            trait Lucky {{ fn luck(&self) -> f64; }}
            fn luck<T: Lucky>(of: &T) -> f64 {{ of.luck() }}
            pub fn f(x: f64) -> f64 {{ let parts = Parts {{ a: x, b: 3.0 * x }}; {body} }}"
        )
    };
    let files = Files::new(&[
        ("user/Cargo.toml", &manifest("user", sums)),
        ("sums/Cargo.toml", &manifest("sums", "no-such-macros = { path = \"../macros\" }\n")),
        ("macros/Cargo.toml", &manifest("macros", "[lib]\nproc-macro = true\n")),
        (
            "sums/src/lib.rs",
            "pub use no_such_macros::{Broken, Maker, Sum};\npub trait Sum { fn sum(&self) -> f64; }",
        ),
        ("macros/src/lib.rs", include_str!("packages/derive_macros.rs.txt")),
        ("user/src/lib.rs", &user("total(&parts)")),
    ]);
    assert_eq!(files.run("user"), Ok(7.0));
    files.write(
        "user/src/lib.rs",
        &user("parts.sum() + PartsMaker::default().made() + Parts::maker().made()"),
    );
    assert_eq!(files.run("user"), Ok(8.0));
    // What the macro's code fails with is said where something is missing.
    files.write("user/src/lib.rs", &user("luck(&parts)"));
    let message = files.run("user").expect_err("nothing implements it");
    assert!(message.contains("`#[derive(Broken)]` was not expanded: no luck here"), "{message}");
}

#[test]
fn a_macro_of_another_package_is_called_in_bodies_and_among_items() {
    let user = |body: &str| {
        format!(
            "use no_such_sums::sum_of;
            sum_of!(fn named g; 1, 2, 3);
            pub fn f(x: f64) -> f64 {{ let y = 10.0; {body} }}"
        )
    };
    let files = Files::new(&[
        ("user/Cargo.toml", &manifest("user", "no-such-sums = { path = \"../sums\" }\n")),
        ("sums/Cargo.toml", &manifest("sums", "no-such-calls = { path = \"../calls\" }\n")),
        ("calls/Cargo.toml", &manifest("calls", "[lib]\nproc-macro = true\n")),
        ("sums/src/lib.rs", "pub use no_such_calls::sum_of;"),
        (
            "calls/src/lib.rs",
            "use proc_macro::TokenStream;
            #[proc_macro]
            pub fn other(_: TokenStream) -> TokenStream { panic!(\"another macro\") }
            /// Adds its arguments.
            #[proc_macro]
            pub fn sum_of(input: TokenStream) -> TokenStream {
                let text = input.to_string();
                let (item, args) = match text.split_once(';') {
                    Some((item, args)) => (item.trim().strip_prefix(\"fn named\"), args),
                    None => (None, &*text),
                };
                let sum: Vec<String> = args.split(',').map(|arg| format!(\"({arg}) as f64\")).collect();
                match item {
                    Some(name) => format!(\"fn {name}() -> f64 {{ {} }}\", sum.join(\" + \")),
                    None if sum.len() > 3 => panic!(\"too many\"),
                    None => sum.join(\" + \"),
                }.parse().unwrap()
            }",
        ),
        ("user/src/lib.rs", &user("sum_of!(x, y) * no_such_sums::sum_of!(y) + g()")),
    ]);
    assert_eq!(files.run("user"), Ok(116.0));
    files.write("user/src/lib.rs", &user("sum_of!(x, y, x, y)"));
    let message = files.run("user").expect_err("the macro panics");
    assert!(message.contains("macro `sum_of!`: too many"), "{message}");
}

#[test]
fn a_macro_takes_and_makes_single_tokens() {
    let files = Files::new(&[
        ("user/Cargo.toml", &manifest("user", "no-such-tokens = { path = \"../tokens\" }\n")),
        ("tokens/Cargo.toml", &manifest("tokens", "[lib]\nproc-macro = true\n")),
        ("tokens/src/lib.rs", include_str!("packages/token_macros.rs.txt")),
        (
            "user/src/lib.rs",
            "use no_such_tokens::{kinds, twice};
            twice! { fn id<'a>(x: &'a f64) -> &'a f64 { /* no token */ x } }
            pub fn f(x: f64) -> f64 {
                let text = kinds!(a += 'b' 'c \"d(e\" r#\"f\"g\"# 1.5e-3 0..=0x1f /// documented
                    { [h, b'\\''] } ());
                assert_eq!(text, \"I + = L ' I L L L L . . = L # G[I = L] G{G[I , L]} G()\");
                twice!(x * 1.5 + -(x - 1.25)) + *id(&x)
            }",
        ),
    ]);
    // Every float literal is doubled: 3 x - (x - 2.5) + x for x = 1.
    assert_eq!(files.run("user"), Ok(5.5));
}

#[test]
fn attribute_macros_of_other_packages_add_to_items() {
    let user = |args: &str, body: &str| {
        format!(
            "use no_such_attributes::{{cloned, forwards}};
            mod shapes {{
                use super::*;
                #[forwards]
                pub trait Area {{ fn area(&self) -> f64; }}
            }}
            use shapes::Area;
            pub struct Square {{ side: f64 }}
            impl Area for Square {{ fn area(&self) -> f64 {{ self.side * self.side }} }}
            #[derive(Debug)]
            pub struct Strip(f64);
            impl Area for Strip {{ fn area(&self) -> f64 {{ 3.0 * self.0 }} }}
            #[no_such_attributes::forwards({args})]
            pub(crate) enum Shape {{ Square(Square), Strip(Strip) }}
            #[cloned]
            pub struct Given(f64);
            pub fn f(x: f64) -> f64 {{
                let all = [Shape::Square(Square {{ side: 2.0 * x }}), Shape::Strip(Strip(x))];
                let given = Given(x);
                {body}
            }}"
        )
    };
    let sum = "all.iter().map(|it| it.area()).sum::<f64>() + given.0";
    let files = Files::new(&[
        ("user/Cargo.toml", &manifest("user", "no-such-attributes = { path = \"../attributes\" }\n")),
        ("attributes/Cargo.toml", &manifest("attributes", "[lib]\nproc-macro = true\n")),
        ("attributes/src/lib.rs", include_str!("packages/attribute_macros.rs.txt")),
        ("user/src/lib.rs", &user("Area", sum)),
    ]);
    assert_eq!(files.run("user"), Ok(8.0));
    // Why there is no such impl is said: what the macro says, and that it makes another item of the one that is written.
    for (args, body, reason) in [
        ("Other", sum, "`#[forwards]` was not expanded: the trait `Other` was not seen"),
        ("Area", "given.clone().0", "`#[cloned]` was not expanded: it changes `Given`"),
    ] {
        files.write("user/src/lib.rs", &user(args, body));
        let message = files.run("user").expect_err("nothing implements it");
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn a_panic_before_edition_2021_says_its_literal() {
    let says = |edition: &str| {
        let manifest = format!("[package]\nname = \"no-such-user\"\nedition = \"{edition}\"\n");
        let text = "pub fn f(x: f64) -> f64 { let y = 3; if x > 0.0 { assert!(y > 5, \"{y}\") } y as f64 }";
        let files = Files::new(&[("user/Cargo.toml", &manifest), ("user/src/lib.rs", text)]);
        files.run("user").expect_err("the assertion fails")
    };
    assert!(says("2018").contains("{y}"), "{}", says("2018"));
    assert!(says("2021").contains('3'), "{}", says("2021"));
}

#[test]
fn arrays_are_iterated_over_by_reference_before_edition_2021() {
    let run = |edition: &str, star: &str| {
        let manifest = format!("[package]\nname = \"no-such-user\"\nedition = \"{edition}\"\n");
        let text = format!(
            "pub fn f(x: f64) -> f64 {{
                let v: Vec<f64> = [x, 2.0].into_iter().map(|y| {star}y + 1.0).collect();
                let by_value: f64 = IntoIterator::into_iter([x, 3.0]).sum();
                v[1] + by_value
            }}"
        );
        Files::new(&[("user/Cargo.toml", &*manifest), ("user/src/lib.rs", &*text)]).run("user")
    };
    assert_eq!(run("2018", "*"), Ok(7.0));
    assert_eq!(run("2021", ""), Ok(7.0));
    assert!(run("2021", "*").is_err());
}

#[test]
fn a_crate_names_itself_in_its_modules() {
    let text = "extern crate self as own; mod inner { use own::twice; pub fn g(x: f64) -> f64 { twice(x) + own::twice(x) } }
        pub fn twice(x: f64) -> f64 { 2.0 * x }
        pub fn f(x: f64) -> f64 { inner::g(x) }";
    let files = Files::new(&[("user/Cargo.toml", &manifest("own", "")), ("user/src/lib.rs", text)]);
    assert_eq!(files.run("user"), Ok(4.0));
}

#[test]
fn a_feature_that_no_list_names_turns_on_the_optional_dependency_of_its_name() {
    let far = "far = { path = \"../far\", package = \"no-such-far\", optional = true }\n";
    let near = |features: &str| {
        manifest("user", &format!("no-such-near = {{ path = \"../near\", features = [{features}] }}\n"))
    };
    let files = Files::new(&[
        ("user/Cargo.toml", &near("\"far\"")),
        ("near/Cargo.toml", &manifest("near", far)),
        ("far/Cargo.toml", &manifest("far", "")),
        ("user/src/lib.rs", "pub fn f(x: f64) -> f64 { no_such_near::g(x) }"),
        (
            "near/src/lib.rs",
            "#[cfg(feature = \"far\")] pub fn g(x: f64) -> f64 { far::h(x) }
            #[cfg(not(feature = \"far\"))] pub fn g(x: f64) -> f64 { x }",
        ),
        ("far/src/lib.rs", "pub fn h(x: f64) -> f64 { 3.0 * x }"),
    ]);
    assert_eq!(files.run("user"), Ok(3.0));
    files.write("user/Cargo.toml", &near(""));
    assert_eq!(files.run("user"), Ok(1.0));
}

/// What is decided for the whole program before a crate is loaded that only a dependency of the user's crate names.
#[test]
fn what_a_crate_uses_counts_before_a_path_leads_into_it() {
    let near = "no-such-near = { path = \"../near\" }\n";
    let far = "no-such-far = { path = \"../far\" }\n";
    let files = Files::new(&[
        ("user/Cargo.toml", &manifest("user", near)),
        ("near/Cargo.toml", &manifest("near", far)),
        ("far/Cargo.toml", &manifest("far", "")),
        (
            "user/src/lib.rs",
            "pub fn f(x: f64) -> f64 {
                let mut room = vec![x];
                room.reserve(1);
                let shared = std::rc::Rc::new(x);
                let call: Box<dyn Fn() -> f64> = Box::new(move || x);
                call() + room[0] + no_such_near::all(&shared.clone())
            }",
        ),
        ("near/src/lib.rs", "pub fn all(x: &std::rc::Rc<f64>) -> f64 { no_such_far::all(x) }"),
        (
            "far/src/lib.rs",
            "use std::cell::Cell;
            use std::rc::Rc;
            struct Guard(Rc<Cell<f64>>);
            impl Drop for Guard {
                fn drop(&mut self) { self.0.set(self.0.get() + 100.0) }
            }
            pub fn all(x: &Rc<f64>) -> f64 {
                let dropped = Rc::new(Cell::new(0.0));
                let guard = Guard(dropped.clone());
                let call: Box<dyn Fn() -> f64> = Box::new(move || guard.0.get());
                let before = call();
                drop(call);
                let room: Vec<f64> = Vec::with_capacity(7);
                before + dropped.get() + 10.0 * room.capacity() as f64 + Rc::strong_count(x) as f64
            }",
        ),
    ]);
    assert_eq!(files.run("user"), Ok(1.0 + 1.0 + 100.0 + 70.0 + 2.0));
}
