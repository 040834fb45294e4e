//! Exported C programs, compiled by the C compiler and run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

use super::Outcome;

/// The options with which programs must compile without a warning, but those of comparisons that the source makes.
const OPTIONS: &[&str] = &[
    "-std=c99",
    "-Wall",
    "-Wextra",
    "-Wno-type-limits",
    "-Wno-tautological-compare",
    "-Wno-sign-compare",
    "-Werror",
    "-pedantic",
    "-O1",
    "-ffp-contract=off",
    "-fno-builtin",
];

/// A failure ends the program at once, with what it holds.
const FAILURE: &str =
    "-DOVERDUB_FAIL(message,at)=(fprintf(stderr, \"%s, %s\\n\", (message), (at)), _Exit(101))";

/// What finds undefined behaviour, memory that is used after it is freed, and memory that is not freed.
const SANITIZERS: &[&str] = &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// The C compiler and the options that it knows; none if there is no compiler, which is said.
fn compiler() -> Option<&'static (String, Vec<&'static str>)> {
    static COMPILER: OnceLock<Option<(String, Vec<&'static str>)>> = OnceLock::new();
    let found = COMPILER.get_or_init(|| {
        let name = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let folder = folder("compiler");
        let source = folder.join("empty.c");
        fs::write(&source, "int main(void) { return 0; }\n").expect("the source can be written");
        let options = OPTIONS.iter().chain(SANITIZERS).copied().collect::<Vec<_>>();
        for options in [options, OPTIONS.to_vec()] {
            let binary = folder.join("empty");
            let made = Command::new(&name).args(&options).arg("-o").args([&binary, &source]).output();
            let runs = || Command::new(&binary).status().is_ok_and(|status| status.success());
            if made.is_ok_and(|made| made.status.success()) && runs() {
                return Some((name, options));
            }
        }
        eprintln!("NOT TESTED: there is no C compiler `{name}`, so no exported C program is compiled");
        None
    });
    found.as_ref()
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}_c"));
    fs::create_dir_all(&folder).expect("the folder can be written");
    folder
}

/// Compiles programs, each with a `main` that prints its result, and runs each; none if there is no compiler.
pub(crate) fn outcomes(name: &str, programs: &[String]) -> Option<Vec<Outcome>> {
    let (compiler, options) = compiler()?;
    let folder = folder(name);
    let outcome = |(number, program): (usize, &String)| -> Outcome {
        let (source, binary) =
            (folder.join(format!("program{number}.c")), folder.join(format!("program{number}")));
        fs::write(&source, program).expect("the source can be written");
        compile(compiler, options, &source, &binary, program);
        let run = Command::new(&binary).output().expect("the program can be run");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match run.status.code() {
            Some(0) => Ok(text(&run.stdout).trim_end().to_owned()),
            Some(101) => Err(text(&run.stderr)),
            _ => panic!("{}\n{program}", text(&run.stderr)),
        }
    };
    let half = programs.len().div_ceil(2);
    let numbered: Vec<(usize, &String)> = programs.iter().enumerate().collect();
    let (first, second) = numbered.split_at(half);
    let mut all: Vec<Outcome> = Vec::new();
    std::thread::scope(|scope| {
        let run = |part: &[(usize, &String)]| part.iter().map(|&one| outcome(one)).collect::<Vec<_>>();
        let other = scope.spawn(move || run(second));
        all.extend(run(first));
        all.extend(other.join().expect("the programs compile and end"));
    });
    Some(all)
}

/// Compiles a file without a warning and without linking it, if there is a compiler.
pub(crate) fn is_accepted(name: &str, text: &str) {
    let Some((compiler, _)) = compiler() else { return };
    let folder = folder(name);
    let source = folder.join("file.c");
    fs::write(&source, text).expect("the source can be written");
    let options: Vec<&str> = OPTIONS.iter().copied().chain(["-c"]).collect();
    compile(compiler, &options, &source, &folder.join("file.o"), text);
}

/// Compiles a program without a warning.
fn compile(compiler: &str, options: &[&str], source: &Path, binary: &Path, text: &str) {
    let made =
        Command::new(compiler).args(options).args([FAILURE, "-o"]).args([binary, source]).arg("-lm").output();
    let made = made.expect("the compiler can be run");
    assert!(made.status.success(), "{}\n{text}", String::from_utf8_lossy(&made.stderr));
}
