/** The panels beside the canvas, with their accessible names, by which the menu names three of them. */
export const SIDE_PANELS = {
  history: "History",
  objects: "Objects",
  authors: "Who drew what",
  keys: "Keyboard shortcuts",
  people: "People",
  link: "Link to this board",
  host: "Host",
} as const;

export type SidePanelName = keyof typeof SIDE_PANELS;
