/** The room's few colors: one family of wood, one neutral wall, five accents that come back everywhere. */
export const WOOD = {
  light: "#bd8a58",
  warm: "#985f36",
  dark: "#6a4126",
  deep: "#4a2d1a",
} as const;

export const PLANKS = ["#bd8a56", "#b07c49", "#c79a68", "#a3713f", "#b8834d", "#cca272"] as const;

export const WALL = "#efe5d5";
export const TRIM = "#fbf6ec";
export const PLINTH = "#f4eee2";
export const PAPER = "#fbfaf5";
export const INK = "#20262e";
export const STEEL = "#3b4148";
export const NAVY = "#1f4a66";
export const POT = "#e9e4da";
export const SHADE = "#ffe3ae";
export const GOLD = "#f2b632";

export const ACCENTS = {
  coral: "#dc5236",
  mustard: "#e3ae35",
  teal: "#2f8f83",
  blue: "#2f6fd0",
  plum: "#8a4bb0",
} as const;

export const ACCENT_LIST = Object.values(ACCENTS);

/** Only for what needs a person. */
export const AMBER = "#ffab1a";
