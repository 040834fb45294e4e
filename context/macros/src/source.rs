//! `source!(crate)`: registers the files of a crate or of a module, or the name of a dependency.
//!
//! - SOURCEMACRO1 the files are found as rustc finds them: through `mod name;`, `#[path]`, `include!` and the
//!   like, also within macro calls and where a `cfg` is off; files that do not exist are skipped.
//! - SOURCEMACRO2 the `cfg`s in the files are evaluated by rustc at the location of the macro, and so are the
//!   features of the manifest, which determine the optional dependencies.

use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, LineColumn, Span, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Ident, Result, Token, parse_quote};

use crate::conditions::Conditions;
use crate::surroundings::OwnTokens;

/// The maximum nesting depth of modules.
const DEPTH: usize = 64;

/// The arguments of the macro.
struct Args {
    what: What,
    with_text: bool,
    with_paths: bool,
}

enum What {
    Crate,
    Module,
    Dependency(Ident),
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> Result<Args> {
        let what = if input.peek(Token![crate]) {
            {
                input.parse::<Token![crate]>()?;
                What::Crate
            }
        } else if input.peek(Token![self]) {
            input.parse::<Token![self]>()?;
            What::Module
        } else if input.peek(Ident) {
            What::Dependency(input.parse()?)
        } else {
            let message =
                "`source!` takes `crate`, `self` for the module of this file, or the name of a dependency";
            return Err(input.error(message));
        };
        let mut args = Args { what, with_text: true, with_paths: true };
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let (keyword, what): (Ident, Ident) = (input.parse()?, input.parse()?);
            match (keyword.to_string().as_str(), what.to_string().as_str()) {
                ("without", "text") => args.with_text = false,
                ("without", "paths") => args.with_paths = false,
                _ => return Err(Error::new(keyword.span(), "expected `without text` or `without paths`")),
            }
        }
        if !args.with_text && !args.with_paths {
            let message = "without its text and without the path to it, a source cannot be found";
            return Err(Error::new(Span::call_site(), message));
        }
        Ok(args)
    }
}

/// The registration of a source.
pub(crate) fn expand(tokens: TokenStream) -> Result<TokenStream> {
    let args: Args = syn::parse2(tokens)?;
    let Args { what, with_text, with_paths } = args;
    let span = Span::call_site();
    let manifest = quote!(::core::env!("CARGO_MANIFEST_DIR"));
    if let What::Dependency(name) = &what {
        if !with_text || !with_paths {
            return Err(Error::new(
                name.span(),
                "the text of a dependency is always read where its package lies",
            ));
        }
        let shown = name.to_string();
        return Ok(quote! {
            const _: () = {
                #[allow(unused_imports)]
                use ::#name as _;
                ::overdub::__private::inventory::submit! {
                    ::overdub::__private::RegisteredDependency { name: #shown, manifest: #manifest }
                }
            };
        });
    }
    let unknown = || {
        let message = "the file that this stands in is not known\n\
                       help: write it in a file of a crate, outside of functions, inline modules and macros";
        Error::new(span, message)
    };
    let root = span.local_file().ok_or_else(unknown)?;
    let root = std::env::current_dir().map_or_else(|_| root.clone(), |dir| dir.join(&root));
    let text = std::fs::read_to_string(&root).map_err(|_| unknown())?;
    let is_crate = matches!(what, What::Crate);
    let mut reader = SourceCollector::default();
    let stem = root.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let children = if is_crate || stem == "mod" { String::new() } else { stem };
    {
        let _guard = OwnTokens::new();
        let tokens: TokenStream = text.parse().map_err(|_| unknown())?;
        if !has_token_at(&tokens, span.start()) {
            return Err(unknown());
        }
        let folder = root.parent().unwrap_or(Path::new("")).to_owned();
        let name = root.file_name().map(PathBuf::from).unwrap_or_default();
        reader.base = folder;
        reader.files.push(name);
        reader.conditions.insert_common();
        // It is not yet known whether the file of a module is the root of a crate, so both folders are
        // searched.
        let folders = if is_crate { vec![""] } else { vec![&children[..], ""] };
        for children in folders {
            let place = ModuleDir { folder: PathBuf::new(), children: PathBuf::from(children), depth: 0 };
            reader.tokens(tokens.clone(), &place);
        }
    }
    let check = match &what {
        What::Crate => quote! {
            const _: () = ::core::assert!(
                ::overdub::__private::is_crate_root(::core::module_path!()),
                "`source!(crate)` stands in the root file of its crate; `source!(self)` in the file of a module"
            );
        },
        _ => quote!(),
    };
    let files = if with_text {
        let names = reader.files.iter().map(|file| file.to_string_lossy().into_owned());
        let paths = reader.files.iter().map(|file| reader.base.join(file).to_string_lossy().into_owned());
        quote!(SourceFiles::Embedded(&[#((#names, ::core::include_bytes!(#paths) as &[::core::primitive::u8])),*]))
    } else {
        let path = root.to_string_lossy().into_owned();
        quote!(SourceFiles::OnDisk(#path))
    };
    let manifest = if with_paths {
        quote!(::core::option::Option::Some(#manifest))
    } else {
        quote!(::core::option::Option::None)
    };
    let cfgs = reader.conditions.evaluated(&parse_quote!(::overdub));
    Ok(quote! {
        #[allow(unexpected_cfgs)]
        const _: () = {
            #check
            const EDITION: ::core::primitive::u16 = {
                macro_rules! edition {
                    ($e:expr) => { 2024 };
                    (_) => { 2021 };
                }
                edition!(_)
            };
            ::overdub::__private::inventory::submit! {{
                use ::overdub::__private::{RegisteredSource, SourceFiles};
                RegisteredSource {
                    module: ::core::module_path!(),
                    file: ::core::file!(),
                    children: if ::overdub::__private::is_crate_root(::core::module_path!()) { "" } else { #children },
                    files: #files,
                    manifest: #manifest,
                    edition: EDITION,
                    cfgs: #cfgs,
                }
            }}
        };
    })
}

/// Whether a top-level token of the file starts at this location, as the macro call has to.
fn has_token_at(tokens: &TokenStream, at: LineColumn) -> bool {
    tokens.clone().into_iter().any(|token| token.span().start() == at)
}

/// Where the modules declared in a file are searched, relative to the folder of the first file.
struct ModuleDir {
    /// The folder of the file itself.
    folder: PathBuf,
    children: PathBuf,
    depth: usize,
}

#[derive(Default)]
struct SourceCollector {
    base: PathBuf,
    /// The paths of the files, relative to the folder of the first file.
    files: Vec<PathBuf>,
    conditions: Conditions,
}

impl SourceCollector {
    fn tokens(&mut self, tokens: TokenStream, place: &ModuleDir) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut path: Option<String> = None;
        for (at, token) in tokens.iter().enumerate() {
            let next = |by: usize| tokens.get(at + by);
            match token {
                TokenTree::Punct(mark) if mark.as_char() == '#' => {
                    if let Some(TokenTree::Group(attr)) = next(1) {
                        path = path_attribute(attr.stream()).or(path);
                    }
                }
                TokenTree::Punct(mark) if mark.as_char() == ';' => path = None,
                TokenTree::Ident(word) if word == "mod" => {
                    let (Some(TokenTree::Ident(name)), Some(after)) = (next(1), next(2)) else { continue };
                    let name = name.to_string();
                    let name = name.strip_prefix("r#").unwrap_or(&name);
                    match after {
                        TokenTree::Punct(mark) if mark.as_char() == ';' => {
                            self.module(name, path.take(), place);
                        }
                        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                            let children = match path.take() {
                                Some(path) => place.folder.join(path),
                                None => place.children.join(name),
                            };
                            let inner =
                                ModuleDir { folder: place.folder.clone(), children, depth: place.depth };
                            self.tokens(group.stream(), &inner);
                        }
                        _ => {}
                    }
                }
                TokenTree::Ident(word) if word == "cfg" || word == "cfg_attr" => {
                    self.conditions.collect_after(&word.to_string(), &tokens[at + 1..]);
                }
                TokenTree::Ident(word)
                    if word == "include" || word == "include_str" || word == "include_bytes" =>
                {
                    if let (Some(TokenTree::Punct(_)), Some(TokenTree::Group(group))) = (next(1), next(2))
                        && let Ok(path) = syn::parse2::<syn::LitStr>(group.stream())
                    {
                        let path = place.folder.join(path.value());
                        self.file(path, place.children.clone(), place, word == "include");
                    }
                }
                TokenTree::Group(group) => {
                    let is_body_of_module = at >= 2
                        && matches!(&tokens[at - 2], TokenTree::Ident(word) if word == "mod")
                        && group.delimiter() == Delimiter::Brace;
                    if !is_body_of_module {
                        self.tokens(group.stream(), place);
                    }
                    if group.delimiter() == Delimiter::Brace {
                        path = None;
                    }
                }
                _ => {}
            }
        }
    }

    /// Reads the file of `mod name;`.
    fn module(&mut self, name: &str, path: Option<String>, place: &ModuleDir) {
        if let Some(path) = path {
            let file = place.folder.join(path);
            let children = file.parent().unwrap_or(Path::new("")).to_owned();
            return self.file(file, children, place, true);
        }
        let subfolder = place.children.join(name);
        let sibling_file = place.children.join(format!("{name}.rs"));
        let file =
            if self.base.join(&sibling_file).exists() { sibling_file } else { subfolder.join("mod.rs") };
        self.file(file, subfolder, place, true);
    }

    fn file(&mut self, file: PathBuf, children: PathBuf, place: &ModuleDir, is_rust: bool) {
        if self.files.contains(&file) || place.depth >= DEPTH {
            return;
        }
        let Ok(text) = std::fs::read(self.base.join(&file)) else { return };
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        self.files.push(file);
        if let (true, Ok(tokens)) = (is_rust, String::from_utf8_lossy(&text).parse::<TokenStream>()) {
            self.tokens(tokens, &ModuleDir { folder, children, depth: place.depth + 1 });
        }
    }
}

/// The value of `path = "file.rs"`, also within `cfg_attr`.
fn path_attribute(attr: TokenStream) -> Option<String> {
    let tokens: Vec<TokenTree> = attr.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1), tokens.get(at + 2)) {
            (TokenTree::Ident(name), Some(TokenTree::Punct(mark)), Some(TokenTree::Literal(value)))
                if name == "path" && mark.as_char() == '=' =>
            {
                return Some(syn::parse_str::<syn::LitStr>(&value.to_string()).ok()?.value());
            }
            (TokenTree::Group(group), ..) => {
                if let Some(path) = path_attribute(group.stream()) {
                    return Some(path);
                }
            }
            _ => {}
        }
    }
    None
}
