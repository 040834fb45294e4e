//! A copy of a package in which some attributes are blank, for the expansion of these attributes: an item with an
//! attribute macro that the front end does not know is refused.

use std::io;
use std::ops::Range;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Copies the files of a package. Everything stays at its line and column.
pub(crate) fn copy_without(attributes: &[&str], folder: &Path, to: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    std::fs::create_dir_all(to)?;
    // It may be inside the package.
    copy(attributes, folder, to, &to.canonicalize()?)
}

fn copy(attributes: &[&str], folder: &Path, to: &Path, whole: &Path) -> io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            let is_other = path.join("Cargo.toml").exists() || path.join("CACHEDIR.TAG").exists();
            let is_copy = whole.starts_with(path.canonicalize()?);
            if !is_other && !is_copy && !entry.file_name().to_string_lossy().starts_with('.') {
                copy(attributes, &path, &copied, whole)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let bytes = std::fs::read(&path)?;
            match std::str::from_utf8(&bytes) {
                Ok(text) => std::fs::write(&copied, blanked(text, attributes))?,
                Err(_) => std::fs::write(&copied, bytes)?,
            }
        } else if entry.file_name() != "Cargo.toml" && std::fs::hard_link(&path, &copied).is_err() {
            std::fs::copy(&path, &copied)?;
        }
    }
    Ok(())
}

/// A text with spaces in the place of these attributes.
fn blanked(text: &str, attributes: &[&str]) -> String {
    let mut made = text.to_owned();
    if !attributes.iter().any(|name| text.contains(name)) {
        return made;
    }
    let Ok(tokens) = text.parse::<TokenStream>() else { return made };
    let mut found = Vec::new();
    find(tokens, attributes, &mut found);
    for range in found {
        let Some(part) = text.get(range.clone()) else { continue };
        // A character of several bytes is one column.
        if part.is_ascii() {
            let blank: String = part.chars().map(|c| if c == '\n' { c } else { ' ' }).collect();
            made.replace_range(range, &blank);
        }
    }
    made
}

/// The places of attributes.
fn find(tokens: TokenStream, attributes: &[&str], found: &mut Vec<Range<usize>>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let mark = at.checked_sub(1).and_then(|before| tokens.get(before));
        match mark {
            Some(TokenTree::Punct(mark))
                if mark.as_char() == '#' && group.delimiter() == Delimiter::Bracket =>
            {
                let is_of_path = |token: &TokenTree| match token {
                    TokenTree::Ident(_) => true,
                    TokenTree::Punct(mark) => mark.as_char() == ':',
                    _ => false,
                };
                let path = group.stream().into_iter().take_while(is_of_path);
                let last = path.filter(|token| matches!(token, TokenTree::Ident(_))).last();
                if last.is_some_and(|last| attributes.contains(&last.to_string().as_str())) {
                    found.push(mark.span().byte_range().start..group.span().byte_range().end);
                }
            }
            _ => find(group.stream(), attributes, found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_blank_and_the_rest_stays_where_it_is() {
        let attribute = "#[a::derivative(gradient,\n    wrt = \"x\")]";
        let blank = format!("{}\n{}", " ".repeat(25), " ".repeat(15));
        let text = |first: &str| {
            format!(
                "mod m {{\n  {first}\n  #[inline] // #[derivative]\n  fn f() {{ \"#[derivative]\"; }}\n}}"
            )
        };
        assert_eq!(blanked(&text(attribute), &["derivative"]), text(&blank));
        assert_eq!(blanked("#[derivative] fn {", &["derivative"]), "#[derivative] fn {");
    }
}
