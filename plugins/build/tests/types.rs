//! Types of a crate are named by their paths where that is possible, and otherwise it is said why not.

mod folder;

use folder::folder;
use overdub_build::{Cause, Derivatives, Error, Package};

/// The derivatives of a crate whose module `shape` contains these items.
fn text(test: &str, items: &str, derivatives: Derivatives) -> Result<String, Error> {
    let manifest = "[package]\nname = \"shapes\"\nedition = \"2024\"\n";
    let folder = folder(
        &format!("types_{test}"),
        &[
            ("Cargo.toml", manifest),
            ("src/lib.rs", "pub mod shape;\nmod hidden { pub struct Inner(pub f64); }\n"),
            ("src/shape.rs", items),
        ],
    );
    let package = Package::open(&folder).unwrap_or_else(|error| panic!("{error}"));
    derivatives.text(&package)
}

#[test]
fn public_types_have_their_paths_and_their_cotangents_are_declared() {
    let items = "
        #[derive(Clone, Copy)] pub struct Disc { pub radius: f64, pub r#type: u8 }
        #[derive(Clone)] pub enum Shape<T> { Empty, Round(Disc), Path { points: Vec<(T, T)>, next: Option<String> } }
        pub fn area(shape: &Shape<f64>) -> f64 {
            match shape {
                Shape::Empty => 0.0,
                Shape::Round(disc) => disc.radius * disc.radius * f64::from(disc.r#type),
                Shape::Path { points, .. } => points.iter().map(|(x, y)| x * y).sum(),
            }
        }
        #[derive(Clone, Copy)] pub enum Size { Known(f64), Unknown }
        pub fn size(of: Size) -> f64 { match of { Size::Known(x) => x * x, Size::Unknown => 0.0 } }
        pub fn disc(radius: f64, flag: bool) -> Disc {
            Disc { radius: if flag { radius } else { 2.0 * radius }, r#type: 1 }
        }";
    let derivatives =
        Derivatives::new().value("shape::area").vjp("shape::size").value("shape::disc").types_by_path();
    let text = text("public", items, derivatives).unwrap_or_else(|error| panic!("{error}"));
    assert!(text.contains("shape: &crate::shape::Shape::<f64>"), "{text}");
    assert!(text.contains("crate::shape::Shape::<f64>::Round("), "{text}");
    assert!(text.contains("-> crate::shape::Disc {"), "{text}");
    assert!(text.contains("r#type"), "{text}");
    assert!(text.contains("pub fn size_vjp(of: crate::shape::Size, dy: f64) -> (f64, Cotangent)"), "{text}");
    assert!(text.contains("pub enum Cotangent"), "{text}");
    assert!(!text.contains("pub struct Disc"), "{text}");
}

#[test]
fn what_is_in_no_signature_is_copied_if_it_has_no_path() {
    let items = "
        struct Pair { a: f64, b: f64 }
        fn pair(x: f64) -> Pair { if x > 1.0 { Pair { a: x, b: 1.0 } } else { pair(x + 1.0) } }
        pub fn f(x: f64) -> f64 { let pair = pair(x); pair.a * pair.b }";
    let derivatives = Derivatives::new().value("shape::f").types_by_path();
    let text = text("copied", items, derivatives).unwrap_or_else(|error| panic!("{error}"));
    assert!(text.contains("pub struct Pair"), "{text}");
}

#[test]
fn a_module_sees_what_is_private_around_it() {
    let items = "#[derive(Clone, Copy)] struct Disc { radius: f64 }
        fn area(disc: Disc) -> f64 { disc.radius * disc.radius }";
    let inside = Derivatives::new().gradient("shape::area").types_by_path_in("shape::derivatives");
    let text = text("inside", items, inside).unwrap_or_else(|error| panic!("{error}"));
    assert!(text.contains("disc: crate::shape::Disc"), "{text}");
}

#[test]
fn a_type_of_a_signature_without_a_path_is_an_error_at_the_cause() {
    for (test, items, expected) in [
        (
            "private_type",
            "#[derive(Clone, Copy)] struct Disc { pub radius: f64 }\nfn area(disc: Disc) -> f64 { disc.radius }",
            "`shape::Disc` cannot be named in `crate`: it is private\n --> ",
        ),
        (
            "private_field",
            "#[derive(Clone, Copy)] pub struct Disc {\n    radius: f64,\n}\npub fn area(disc: Disc) -> f64 { disc.radius }",
            "src/shape.rs:2:5\n  |\n2 |     radius: f64,\n  |     ^^^^^^",
        ),
        (
            "reference",
            "#[derive(Clone, Copy)] pub struct View<'a> { pub xs: &'a [f64] }\npub fn area(view: View<'_>) -> f64 { view.xs[0] }",
            "the field `xs: &[f64]` would have another type in the exported text",
        ),
        (
            "array",
            "#[derive(Clone, Copy)] pub struct Vector(pub [f64; 3]);\npub fn area(of: Vector) -> f64 { of.0[1] }",
            "the field `0: [f64; 3]` would have another type in the exported text",
        ),
        (
            "clone",
            "pub struct Disc { pub radii: Vec<f64> }\npub fn area(disc: &Disc) -> f64 { disc.radii[0] }",
            "it is not `Clone`",
        ),
        (
            "copy",
            "#[derive(Clone)] pub struct Disc { pub radius: f64 }\npub fn area(disc: &Disc) -> f64 { disc.radius }",
            "it is not `Copy`",
        ),
        (
            "box",
            "#[derive(Clone)] pub struct Disc { pub radii: Box<Vec<f64>> }\npub fn area(disc: &Disc) -> f64 { disc.radii[0] }",
            "the field `radii: Box<Vec<f64>>` would have another type in the exported text",
        ),
        (
            "part",
            "#[derive(Clone)] pub struct Outer { pub inner: Vec<Inner> }\n#[derive(Clone, Copy)] pub struct Inner { x: f64 }
            pub fn area(outer: &Outer) -> f64 { outer.inner[0].x }",
            "`shape::Outer` cannot be named in `crate`: this field is private\n --> ",
        ),
        (
            "hidden",
            "#[derive(Clone, Copy)] pub struct Disc { pub radius: crate::hidden::Inner }\npub fn area(disc: &Disc) -> f64 { disc.radius.0 }",
            "it is not `Copy`",
        ),
        (
            "macro",
            "macro_rules! disc { () => { #[derive(Clone, Copy)] pub struct Disc { pub radius: f64 } } }\ndisc!();\npub fn area(disc: &Disc) -> f64 { disc.radius }",
            "a macro makes it",
        ),
        (
            "brackets",
            "#[derive(Clone, Copy)] pub struct Nothing {}\npub fn area(_: Nothing, x: f64) -> f64 { x }",
            "brackets without fields",
        ),
    ] {
        let error = text(test, items, Derivatives::new().value("shape::area").types_by_path())
            .expect_err("it has no path");
        assert!(matches!(error.cause(), Cause::Type { .. }), "{error}");
        assert!(error.span().is_known(), "{error}");
        assert!(error.to_string().contains(expected), "`{expected}` is not in\n{error}");
    }
}
