//! Folding to ASCII (Lucene's `ASCIIFoldingFilter`): characters beyond ASCII become their ASCII
//! equivalents.
//!
//! Most follow from Unicode's decomposition into ASCII and combining marks. The others are listed,
//! and so are those that stay unchanged nevertheless.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The blocks that are folded: Latin and phonetic letters, punctuation, enclosed digits, fullwidth
/// forms.
const BLOCKS: [(char, char); 8] = [
    ('\u{80}', '\u{24f}'),
    ('\u{1d00}', '\u{1dbf}'),
    ('\u{1e00}', '\u{1eff}'),
    ('\u{2010}', '\u{209f}'),
    ('\u{2460}', '\u{24ff}'),
    ('\u{2c60}', '\u{2c7f}'),
    ('\u{fb00}', '\u{fb06}'),
    ('\u{ff01}', '\u{ff5e}'),
];

/// Characters of these blocks that stay unchanged.
const KEPT: &str = "\u{a0}\u{a8}\u{aa}\u{af}\u{b4}\u{b8}\u{ba}\u{1d2c}\u{1d2e}\u{1d30}\u{1d31}\u{1d33}\u{1d34}\u{1d35}\u{1d36}\
    \u{1d37}\u{1d38}\u{1d39}\u{1d3a}\u{1d3c}\u{1d3e}\u{1d3f}\u{1d40}\u{1d41}\u{1d42}\u{1d43}\u{1d47}\u{1d48}\
    \u{1d49}\u{1d4d}\u{1d4f}\u{1d50}\u{1d52}\u{1d56}\u{1d57}\u{1d58}\u{1d5b}\u{1d9c}\u{1da0}\u{1dbb}\u{2017}\
    \u{2024}\u{2025}\u{2026}\u{202f}\u{203e}\u{205f}\u{2095}\u{2096}\u{2097}\u{2098}\u{2099}\u{209a}\u{209b}\
    \u{209c}\u{2c7d}\u{fb05}\u{ff40}\u{ff5c}";

/// The equivalents of characters that Unicode does not decompose into ASCII.
const FOLDED: [(&str, &str); 129] = [
    ("\"", "«»“”„″‶❝❞❮❯"),
    ("%", "⁒"),
    ("'", "‘’‚‛′‵‹›❛❜"),
    ("(", "❨❪"),
    ("((", "⸨"),
    (")", "❩❫"),
    ("))", "⸩"),
    ("*", "⁎"),
    ("-", "‐‑‒–—⁻₋"),
    ("/", "⁄"),
    ("0", "⓿"),
    ("1", "⓵❶➀➊"),
    ("10", "⓾❿➉➓"),
    ("11", "⓫"),
    ("12", "⓬"),
    ("13", "⓭"),
    ("14", "⓮"),
    ("15", "⓯"),
    ("16", "⓰"),
    ("17", "⓱"),
    ("18", "⓲"),
    ("19", "⓳"),
    ("2", "⓶❷➁➋"),
    ("20", "⓴"),
    ("3", "⓷❸➂➌"),
    ("4", "⓸❹➃➍"),
    ("5", "⓹❺➄➎"),
    ("6", "⓺❻➅➏"),
    ("7", "⓻❼➆➐"),
    ("8", "⓼❽➇➑"),
    ("9", "⓽❾➈➒"),
    (";", "⁏"),
    ("<", "❬❰"),
    (">", "❭❱"),
    ("A", "ƏȺᴀ"),
    ("AA", "Ꜳ"),
    ("AE", "ÆǢǼᴁ"),
    ("AO", "Ꜵ"),
    ("AU", "Ꜷ"),
    ("AV", "ꜸꜺ"),
    ("AY", "Ꜽ"),
    ("B", "ƁƂɃʙᴃ"),
    ("C", "ƇȻʗᴄ"),
    ("D", "ÐĐƉƊƋᴅᴆꝹ"),
    ("E", "ƎƐɆᴇⱻ"),
    ("F", "ƑꜰꝻꟻ"),
    ("G", "ƓǤǥǧɢʛꝽꝾ"),
    ("H", "ĦʜⱧⱵ"),
    ("HV", "Ƕ"),
    ("I", "ƖƗɪᵻꟾ"),
    ("J", "Ɉᴊ"),
    ("K", "ƘᴋⱩꝀꝂꝄ"),
    ("L", "ĿŁȽʟᴌⱠⱢꝆꝈꞀ"),
    ("LL", "Ỻ"),
    ("M", "ƜᴍⱮꟽꟿ"),
    ("N", "ŊƝȠɴᴎ"),
    ("O", "ØƆƟǾᴏᴐꝊꝌ"),
    ("OE", "Œɶ"),
    ("OO", "Ꝏ"),
    ("OU", "Ȣᴕ"),
    ("P", "ƤᴘⱣꝐꝒꝔ"),
    ("Q", "ɊꝖꝘ"),
    ("R", "ɌʀʁᴙᴚⱤꝚꞂ"),
    ("S", "ꜱꞅ"),
    ("SS", "ẞ"),
    ("T", "ŦƬƮȾᴛꞆ"),
    ("TH", "ÞꝦ"),
    ("TZ", "Ꜩ"),
    ("U", "Ʉᴜᵾ"),
    ("V", "ƲɅᴠỼꝞꝨ"),
    ("VY", "Ꝡ"),
    ("W", "ǷᴡⱲ"),
    ("Y", "ƳɎʏỾ"),
    ("Z", "ƵȜȤᴢⱫꝢ"),
    ("[", "⁅❲"),
    ("]", "⁆❳"),
    ("^", "‸"),
    ("a", "ɐəɚᶏᶕẚₔⱥⱯ"),
    ("aa", "ꜳ"),
    ("ae", "æǣǽᴂ"),
    ("ao", "ꜵ"),
    ("au", "ꜷ"),
    ("av", "ꜹꜻ"),
    ("ay", "ꜽ"),
    ("b", "ƀƃɓᵬᶀ"),
    ("c", "ƈȼɕↄꜾꜿ"),
    ("d", "ðđƌȡɖɗᵭᶁᶑꝺ"),
    ("db", "ȸ"),
    ("dz", "ʣʥ"),
    ("e", "ǝɇɘɛɜɝɞʚᴈᶒᶓᶔⱸ"),
    ("f", "ƒᵮᶂẛꝼ"),
    ("g", "ɠɡᵷᵹᶃꝿ"),
    ("h", "ħɥɦʮʯⱨⱶ"),
    ("hv", "ƕ"),
    ("i", "ıɨᴉᵼᶖ"),
    ("j", "ȷɉɟʄʝ"),
    ("k", "ƙʞᶄⱪꝁꝃꝅ"),
    ("l", "ŀłƚȴɫɬɭᶅⱡꝇꝉꞁ"),
    ("ll", "ỻ"),
    ("ls", "ʪ"),
    ("lz", "ʫ"),
    ("m", "ɯɰɱᵯᶆ"),
    ("n", "ŉŋƞȵɲɳᵰᶇ"),
    ("o", "øǿɔɵᴖᴗᶗⱺꝋꝍ"),
    ("oe", "œᴔ"),
    ("oo", "ꝏ"),
    ("ou", "ȣ"),
    ("p", "ƥᵱᵽᶈꝑꝓꝕꟼ"),
    ("q", "ĸɋʠꝗꝙ"),
    ("qp", "ȹ"),
    ("r", "ɍɼɽɾɿᵲᵳᶉꝛꞃ"),
    ("s", "ȿʂᵴᶊẜẝꞄ"),
    ("ss", "ß"),
    ("t", "ŧƫƭȶʇʈᵵⱦ"),
    ("tc", "ʨ"),
    ("th", "þᵺꝧ"),
    ("ts", "ʦ"),
    ("tz", "ꜩ"),
    ("u", "ʉᶙ"),
    ("ue", "ᵫ"),
    ("v", "ʋʌᶌⱱⱴꝟ"),
    ("vy", "ꝡ"),
    ("w", "ƿʍⱳ"),
    ("x", "ᶍ"),
    ("y", "ƴɏʎỿ"),
    ("z", "ƶȝȥɀʐʑᵶᶎⱬꝣ"),
    ("{", "❴"),
    ("}", "❵"),
    ("~", "⁓"),
];

/// Folds a text.
pub(super) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() || !fold_character(character, &mut out) {
            out.push(character);
        }
    }
    out
}

/// Appends the equivalent of a character; `false` if it has none.
fn fold_character(character: char, out: &mut String) -> bool {
    let is_listed = |(_, from): &&(&str, &str)| from.contains(character);
    if let Some((to, _)) = FOLDED.iter().find(is_listed) {
        out.push_str(to);
        return true;
    }
    let is_inside = |(first, last): &(char, char)| (*first..=*last).contains(&character);
    if !BLOCKS.iter().any(is_inside) || KEPT.contains(character) {
        return false;
    }
    let start = out.len();
    for part in std::iter::once(character).nfkd().filter(|part| !is_combining_mark(*part)) {
        if !part.is_ascii() {
            out.truncate(start);
            return false;
        }
        out.push(part);
    }
    out.len() > start
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn letters_lose_their_marks_and_other_scripts_stay() {
        assert_eq!(fold("Bär Ærøskøbing Straße Łódź"), "Bar AEroskobing Strasse Lodz");
        assert_eq!(fold("“x” – ﬁ ⑴ ② ＡＢ"), "\"x\" - fi (1) 2 AB");
        assert_eq!(fold("Ωмега ª … e\u{301}"), "Ωмега ª … e\u{301}");
    }
}
