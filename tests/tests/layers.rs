//! The modules of a crate are in layers: each uses only modules of its own layer and of those below it.
//!
//! Crates whose modules are not in layers yet are not listed.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use overdub_tests::files;

/// The layers of a crate, the lowest first; modules in one line may use each other.
struct Crate {
    folder: &'static str,
    layers: &'static [&'static [&'static str]],
}

const CRATES: &[Crate] = &[
    Crate {
        folder: "context",
        layers: &[
            &["code", "codes", "intern", "memo", "run_state", "span", "symbol", "tuples"],
            &["names", "path"],
            &["failure", "limits"],
            &["types"],
            &["linalg", "value"],
            &["ops"],
            &["ir"],
            &["analysis", "print"],
            &["edit", "ssa", "verify"],
            &["text", "interp"],
            &["engine"],
            &["testing"],
        ],
    },
    Crate {
        folder: "context/lower",
        layers: &[
            &["codes", "registration", "provided"],
            &["linalg"],
            &["source"],
            &["expand"],
            &["error", "hir"],
            &["lang", "prelude", "program", "resolve"],
            &["infer"],
            &["lower", "naming"],
            &["loaded"],
            &["macro_runner", "registry"],
            &["api"],
        ],
    },
    Crate {
        folder: "plugins/export",
        layers: &[
            &[
                "bits",
                "compression",
                "error",
                "names",
                "nominal",
                "options",
                "ownership",
                "packed",
                "places",
                "silent",
            ],
            &["ast", "body", "partial", "tables"],
            &["checked", "constants", "in_place", "local_names", "sites"],
            &["calls", "counted", "liveness", "reducible"],
            &["coalesce"],
            &["build"],
            &["tidy"],
            &["scopes", "unused"],
            &["lanes", "owned", "slices"],
            &["gemm", "overwritten", "program", "tape_room"],
            &["stack_arrays", "tape_records", "tape_vectors", "workspace"],
            &["derivative", "matrix", "rust"],
            &["c", "plain_first"],
            &["answer", "describe"],
            &["destinations", "export", "print", "settings"],
        ],
    },
    Crate {
        folder: "plugins/attributes",
        layers: &[
            &["activity", "arguments", "refuse"],
            &["features", "shadows", "signature"],
            &["program"],
            &["derivative"],
            &["autodiff"],
        ],
    },
    Crate {
        folder: "plugins/build",
        layers: &[
            &["files", "manifest", "report"],
            &["error"],
            &["output", "package"],
            &["function", "visibility"],
            &["types"],
            &["derivatives"],
        ],
    },
    Crate {
        folder: "plugins/ad",
        layers: &[
            &["annotations", "codes", "expr", "float_pair", "refusal", "strategy", "tape_bound"],
            &["expr_display", "flatten"],
            &[
                "array_ops",
                "bit_provenance",
                "cotangent",
                "cotangent_sums",
                "normalize_cfg",
                "shape",
                "sort",
                "wengert_list",
            ],
            &["matrix_product", "text_provenance"],
            &["rules"],
            &["nd"],
            &["custom"],
            &["activity"],
            &["text_reads"],
            &["augment", "domain_call"],
            &["dual"],
            &["tape"],
            &["transform"],
            &["value_pullback"],
            &["route"],
            &["api"],
            &["check", "nested"],
        ],
    },
    Crate {
        folder: "plugins/blame",
        layers: &[&["places", "trace"], &["history"], &["context"], &["origins"], &["blame", "report"]],
    },
    Crate {
        folder: "plugins/lanes",
        layers: &[
            &["layout", "unsupported"],
            &["program"],
            &["kernels", "visit", "words"],
            &["assign", "eval", "uniform"],
            &["codegen", "if_convert", "lower", "select"],
            &["isa", "opencl", "run", "text"],
        ],
    },
    Crate {
        folder: "plugins/dap",
        layers: &[
            &["launch", "values", "wire"],
            &["refusal"],
            &["client", "message", "references"],
            &["listening"],
            &["breakpoints", "listing", "motion", "program", "repl", "sources", "stack", "variables"],
            &["requests", "stops"],
            &["server"],
            &["port"],
        ],
    },
    Crate {
        folder: "plugins/debugger",
        layers: &[
            &["moved", "show", "source", "summary"],
            &["error", "lines"],
            &["derivative"],
            &["stop"],
            &["frames"],
            &["edits", "reach"],
            &["delegation", "evaluate", "history"],
            &["machine"],
            &["breakpoint"],
            &[
                "breaking",
                "changing",
                "inspection",
                "one_piece",
                "points",
                "reverse",
                "session",
                "stepping",
                "sweeps",
            ],
            &["commands"],
            &["answer"],
            &["script"],
        ],
    },
    Crate {
        folder: "plugins/rustc",
        layers: &[
            &["options", "out_slots", "replaced", "signature"],
            &["compiler"],
            &["cache", "library"],
            &["programs"],
            &["worker"],
            &["batch", "executor", "prepared"],
        ],
    },
    Crate {
        folder: "plugins/native",
        layers: &[
            &["abi"],
            &["checks"],
            &["values"],
            &["buffer_pool"],
            &["side_tables"],
            &["compiled"],
            &["runtime"],
            &["codegen"],
            &["tiering"],
            &["program"],
            &["programs"],
            &["prepared"],
            &["executor"],
        ],
    },
    Crate {
        folder: "plugins/sparsity",
        layers: &[
            &["pattern"],
            &["coloring"],
            &["picture"],
            &["detect"],
            &["matrix"],
            &["slots", "to_faer", "to_sprs"],
            &["entries", "evaluation", "products", "sparse_error"],
            &["sparse"],
            &["api"],
        ],
    },
    Crate {
        folder: "plugins/spmd",
        layers: &[
            &["device"],
            &["error", "prepared", "settings"],
            &["axis"],
            &["inputs", "reduce", "schedule"],
            &["each", "elements", "lists", "stored"],
            &["along", "block", "constants", "directed", "in_parts", "on_device", "result_lists", "shapes"],
            &["call", "gradient"],
            &["pulled", "pushed"],
            &["column", "products", "sum"],
            &["mapping"],
            &["map", "over"],
            &["lanes", "loaded"],
        ],
    },
    Crate {
        folder: "plugins/device",
        layers: &[
            &["launch", "parts"],
            &["scalar_text", "stored"],
            &["columns"],
            &["run"],
            &["leaves"],
            &["kernels"],
            &["summed"],
            &["implement"],
            &["cuda", "emulator", "opencl"],
        ],
    },
    Crate { folder: "passes", layers: &[&["support", "verified"], &["pass"], &["pipeline"], &["executor"]] },
];

#[test]
fn modules_use_none_of_the_layers_above() {
    let mut found = String::new();
    for of in CRATES {
        let src = root().join(of.folder).join("src");
        let exported = exports(&read(&src.join("lib.rs")));
        for file in files(&src, "rs").expect("the sources can be read") {
            if file.file_name().is_some_and(|name| name == "tests.rs") {
                continue;
            }
            let inside = file.strip_prefix(&src).expect("it was found there");
            let Some(module) = top_module(inside) else { continue };
            let Some(own) = of.layer(module) else {
                writeln!(found, "{}: `{module}` is in no layer", of.folder).expect("a string takes it");
                continue;
            };
            for (line, used) in uses(&read(&file), &exported) {
                // Items of the root itself are above all modules.
                if of.layer(&used).is_none_or(|layer| layer > own) {
                    writeln!(found, "{}:{line}: `{module}` uses `{used}`, which is above it", file.display())
                        .expect("a string takes it");
                }
            }
        }
    }
    assert!(found.is_empty(), "{found}");
}

#[test]
fn every_layer_lists_modules_that_exist() {
    for of in CRATES {
        let src = root().join(of.folder).join("src");
        for module in of.layers.iter().copied().flatten() {
            let exists =
                src.join(format!("{module}.rs")).exists() || src.join(module).join("mod.rs").exists();
            assert!(exists, "{} has no module `{module}`", of.folder);
        }
    }
}

#[test]
fn a_module_with_submodules_is_the_mod_file_of_their_folder() {
    let folders = ["benches", "context", "fuzz", "passes", "plugins", "tests"];
    let all = folders.iter().flat_map(|folder| files(&root().join(folder), "rs").expect("it can be read"));
    let sources = all.filter(|file| file.iter().any(|part| part == "src"));
    let (with_folder, others): (Vec<_>, Vec<_>) = sources.partition(|file| file.with_extension("").is_dir());
    assert!(others.iter().filter(|file| file.ends_with("mod.rs")).count() > 50, "{others:#?}");
    assert!(with_folder.is_empty(), "{with_folder:#?}");
}

#[test]
fn what_a_file_uses_is_found() {
    let exported = exports("pub use ir::{Func, Ty};\nmod value;\npub use value::Value;\n");
    let text = "//! [`crate::engine`]\nuse crate::ir::Func;\nuse crate::{\n    Ty, ops,\n};\n\nfn f() {\n    \
                crate::text::parse(); crate::made!(); // crate::verify\n}\n\n#[cfg(test)]\nmod tests {\n    use crate::engine;\n}\n";
    let found: Vec<(usize, String)> = uses(text, &exported);
    let expected = [(2, "ir"), (3, "ir"), (3, "ops"), (8, "text")];
    assert_eq!(found, expected.map(|(line, module)| (line, module.to_owned())));
}

impl Crate {
    fn layer(&self, module: &str) -> Option<usize> {
        self.layers.iter().position(|layer| layer.contains(&module))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The module of the crate that a file belongs to; `None` for the root.
fn top_module(inside: &Path) -> Option<&str> {
    let first = inside.iter().next()?.to_str()?;
    let module = first.strip_suffix(".rs").unwrap_or(first);
    (module != "lib").then_some(module)
}

/// The names that the root of a crate exports, with their modules.
fn exports(root: &str) -> HashMap<String, String> {
    let mut found = HashMap::new();
    for item in root.split(';') {
        let Some((_, path)) = item.split_once("pub use ") else { continue };
        let Some((module, names)) = path.split_once("::") else { continue };
        for name in names.trim_matches(['{', '}', '\n', ' ']).split(',') {
            found.insert(name.trim().to_owned(), module.trim().to_owned());
        }
    }
    found
}

/// The modules of its own crate that a text mentions outside of comments and tests, each with its line.
fn uses(text: &str, exported: &HashMap<String, String>) -> Vec<(usize, String)> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let code: String =
        text.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
    let mut found = Vec::new();
    // `$crate` refers to the crate of a macro where it is expanded.
    for (at, _) in code.match_indices("crate::").filter(|(at, _)| !code[..*at].ends_with('$')) {
        let line = code[..at].matches('\n').count() + 1;
        let rest = &code[at + "crate::".len()..];
        let names = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default(),
            None => rest,
        };
        let end = |name: &str| name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
        let firsts = names.split(',').take(if names.len() < rest.len() { usize::MAX } else { 1 });
        for name in firsts.map(str::trim).filter(|name| !name.is_empty()) {
            let (name, behind) = name.split_at(end(name));
            // Macros are exported at the root, wherever they are written.
            if behind.starts_with('!') {
                continue;
            }
            found.push((line, exported.get(name).map_or(name, String::as_str).to_owned()));
        }
    }
    found
}
