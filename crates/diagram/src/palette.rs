//! How shapes look: their colours, on light and on dark, and their strokes.

/// A colour as `0xrrggbb`, on light and on dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tone {
    pub(crate) light: u32,
    pub(crate) dark: u32,
}

/// What fills a shape or draws its outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    None,
    Tone(Tone),
    /// The hue of the link.
    Hue,
}

/// How a shape looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// Its class in an SVG document.
    pub(crate) class: &'static str,
    pub(crate) fill: Paint,
    pub(crate) stroke: Paint,
    /// The width of its outline, in tenths.
    pub(crate) tenths: u16,
    pub(crate) dashed: bool,
    /// Which of the [`HUES`]; the neutral one without.
    pub(crate) hue: Option<usize>,
}

const fn tone(light: u32, dark: u32) -> Paint {
    Paint::Tone(Tone { light, dark })
}

const fn fill(class: &'static str, fill: Paint) -> Look {
    Look { class, fill, stroke: Paint::None, tenths: 0, dashed: false, hue: None }
}

const fn stroke(class: &'static str, stroke: Paint, tenths: u16) -> Look {
    Look { class, fill: Paint::None, stroke, tenths, dashed: false, hue: None }
}

const fn dash(class: &'static str, paint: Paint, tenths: u16) -> Look {
    Look { dashed: true, ..stroke(class, paint, tenths) }
}

const EDGE: Paint = tone(0x0064_748b, 0x0064_748b);
const PAPER_TONE: Paint = tone(0x00ff_ffff, 0x000f_172a);
const GROUND_TONE: Paint = tone(0x00f8_fafc, 0x0014_1d32);
const TEAL: Paint = tone(0x000f_766e, 0x000f_5f59);

pub(crate) const PAPER: Look = fill("paper", PAPER_TONE);
pub(crate) const FRAME: Look =
    Look { fill: GROUND_TONE, ..stroke("frame", tone(0x00cb_d5e1, 0x0033_4155), 10) };
pub(crate) const HALO: Look = stroke("halo", PAPER_TONE, 50);
pub(crate) const FRAMED_HALO: Look = stroke("framed-halo", GROUND_TONE, 50);
pub(crate) const RULE: Look = stroke("rule", tone(0x00cb_d5e1, 0x0033_4155), 10);

pub(crate) const CARD: Look = fill("card", tone(0x00ff_ffff, 0x001b_2540));
pub(crate) const BORDER: Look = stroke("border", EDGE, 10);
pub(crate) const LOOSE_BORDER: Look = dash("loose-border", EDGE, 10);
pub(crate) const HAIR: Look = stroke("hair", tone(0x00e2_e8f0, 0x0033_4155), 10);
pub(crate) const TABLE_BAR: Look = fill("table-bar", tone(0x0033_4155, 0x003b_4a66));
pub(crate) const COUNTER_BAR: Look = fill("counter-bar", TEAL);
pub(crate) const VIEW_BAR: Look = fill("view-bar", tone(0x006d_28d9, 0x005b_35a8));
pub(crate) const TYPE_BAR: Look = fill("type-bar", tone(0x00e2_e8f0, 0x002a_3650));
pub(crate) const STEP_BAR: Look = fill("step-bar", tone(0x001d_4ed8, 0x001e_40af));
pub(crate) const WRITE_BAR: Look = fill("write-bar", tone(0x009a_3412, 0x0087_3510));
pub(crate) const ADDED_BAR: Look = fill("added-bar", tone(0x0015_803d, 0x0016_6534));
pub(crate) const DROPPED_BAR: Look = fill("dropped-bar", tone(0x00b9_1c1c, 0x0099_1b1b));
pub(crate) const ALTERED_BAR: Look = fill("altered-bar", tone(0x00b4_5309, 0x0092_400e));
pub(crate) const KEY_TINT: Look = fill("key-tint", tone(0x00fd_f3d8, 0x003a_3220));
pub(crate) const CLUSTERING_TINT: Look = fill("clustering-tint", tone(0x00ea_f2fe, 0x001f_2f4f));
pub(crate) const STATIC_TINT: Look = fill("static-tint", tone(0x00f6_effe, 0x002d_2547));
pub(crate) const ADDED_TINT: Look = fill("added-tint", tone(0x00dc_fce7, 0x0014_3a26));
pub(crate) const DROPPED_TINT: Look = fill("dropped-tint", tone(0x00fe_e2e2, 0x0045_1a1e));
pub(crate) const ALTERED_TINT: Look = fill("altered-tint", tone(0x00ff_edd5, 0x0043_2a14));
pub(crate) const BADGE: Look = fill("badge", tone(0x00f1_f5f9, 0x000f_172a));

pub(crate) const HEADING: Look = fill("heading", tone(0x000f_172a, 0x00e2_e8f0));
pub(crate) const MUTED: Look = fill("muted", tone(0x0064_748b, 0x0094_a3b8));
pub(crate) const NAME: Look = fill("name", tone(0x000f_172a, 0x00e2_e8f0));
pub(crate) const UNDERLINE: Look = stroke("underline", tone(0x000f_172a, 0x00e2_e8f0), 10);
pub(crate) const TITLE: Look = fill("title", tone(0x00ff_ffff, 0x00f1_f5f9));
pub(crate) const TYPE_TITLE: Look = fill("type-title", tone(0x001e_293b, 0x00e2_e8f0));
pub(crate) const BADGE_TEXT: Look = fill("badge-text", tone(0x0033_4155, 0x00cb_d5e1));
pub(crate) const MARK: Look = fill("mark", tone(0x0047_5569, 0x00cb_d5e1));
pub(crate) const KEY_MARK: Look = fill("key-mark", tone(0x00a1_5c07, 0x00f0_b95a));
pub(crate) const CLUSTERING_MARK: Look = fill("clustering-mark", tone(0x001d_4ed8, 0x008f_b4ff));
pub(crate) const STATIC_MARK: Look = fill("static-mark", tone(0x007e_22ce, 0x00c7_9bf7));
pub(crate) const COUNTER_MARK: Look = fill("counter-mark", tone(0x000f_766e, 0x005f_d0c4));

const WIRE: Look = stroke("wire", Paint::Hue, 15);
const DASHED_WIRE: Look = dash("dashed-wire", Paint::Hue, 15);
const HOLLOW: Look = Look { fill: PAPER_TONE, ..stroke("hollow", Paint::Hue, 15) };
const DOT: Look = fill("dot", Paint::Hue);
const LABEL: Look = fill("label", Paint::Hue);

/// All looks, for the style sheet.
pub(crate) const LOOKS: [Look; 42] = [
    PAPER,
    FRAME,
    HALO,
    FRAMED_HALO,
    RULE,
    CARD,
    BORDER,
    LOOSE_BORDER,
    HAIR,
    TABLE_BAR,
    COUNTER_BAR,
    VIEW_BAR,
    TYPE_BAR,
    STEP_BAR,
    WRITE_BAR,
    ADDED_BAR,
    DROPPED_BAR,
    ALTERED_BAR,
    KEY_TINT,
    CLUSTERING_TINT,
    STATIC_TINT,
    ADDED_TINT,
    DROPPED_TINT,
    ALTERED_TINT,
    BADGE,
    HEADING,
    MUTED,
    NAME,
    UNDERLINE,
    TITLE,
    TYPE_TITLE,
    BADGE_TEXT,
    MARK,
    KEY_MARK,
    CLUSTERING_MARK,
    STATIC_MARK,
    COUNTER_MARK,
    WIRE,
    DASHED_WIRE,
    HOLLOW,
    DOT,
    LABEL,
];

/// The hues of links that are not told apart.
pub(crate) const NEUTRAL: Tone = Tone { light: 0x0047_5569, dark: 0x0094_a3b8 };
/// The hues of links.
pub(crate) const HUES: [Tone; 8] = [
    Tone { light: 0x0025_63eb, dark: 0x007a_a2f7 },
    Tone { light: 0x00c2_410c, dark: 0x00f0_965a },
    Tone { light: 0x0015_803d, dark: 0x006c_c78a },
    Tone { light: 0x007c_3aed, dark: 0x00b9_9cf7 },
    Tone { light: 0x00be_185d, dark: 0x00f0_8bb4 },
    Tone { light: 0x000e_7490, dark: 0x005c_c3d8 },
    Tone { light: 0x00a1_6207, dark: 0x00d9_b34a },
    Tone { light: 0x004d_7c0f, dark: 0x00a3_cf5c },
];

/// The parts of a link in its hue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkLooks {
    pub(crate) wire: Look,
    /// A tip that is drawn as lines.
    pub(crate) line: Look,
    pub(crate) hollow: Look,
    pub(crate) dot: Look,
    pub(crate) label: Look,
}

impl LinkLooks {
    pub(crate) fn new(hue: Option<usize>, dashed: bool) -> Self {
        let hue = hue.map(|hue| hue % HUES.len());
        let own = |look: Look| Look { hue, ..look };
        Self {
            wire: own(if dashed { DASHED_WIRE } else { WIRE }),
            line: own(WIRE),
            hollow: own(HOLLOW),
            dot: own(DOT),
            label: own(LABEL),
        }
    }
}

impl Look {
    /// The colours of one of its paints.
    pub(crate) fn tone(&self, paint: Paint) -> Option<Tone> {
        match paint {
            Paint::None => None,
            Paint::Tone(tone) => Some(tone),
            Paint::Hue => Some(self.hue.map_or(NEUTRAL, |hue| HUES[hue % HUES.len()])),
        }
    }

    /// The width of its outline.
    pub(crate) fn stroke_width(&self) -> f64 {
        f64::from(self.tenths) / 10.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_unique() {
        for (at, look) in LOOKS.iter().enumerate() {
            assert!(LOOKS[..at].iter().all(|other| other.class != look.class), "{}", look.class);
        }
    }
}
