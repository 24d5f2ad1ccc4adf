/** The room's few colors: one family of wood, one neutral wall, five accents that come back everywhere. */
export const WOOD = { light: "#c98d53", warm: "#a5652f", dark: "#6f4120", deep: "#4d2d17" } as const;

export const PLANKS = ["#c58a50", "#b97c43", "#cf985f", "#ad713a", "#c18448", "#d3a067"] as const;

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
  coral: "#e2532f",
  mustard: "#eab22c",
  teal: "#2f8f83",
  blue: "#2f6fd0",
  plum: "#8a4bb0",
} as const;

export const ACCENT_LIST = Object.values(ACCENTS);

/** Only for what needs a person. */
export const AMBER = "#ffab1a";
