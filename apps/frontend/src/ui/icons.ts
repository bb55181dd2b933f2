/** Outlines on a grid of 24, drawn with a stroke. */
export const icons = {
  chat: 'M4 5h16v11H11l-5 4v-4H4zM8 9h8M8 12h5',
  send: 'M4 12l16-8-6 16-3-6zM11 14l9-10',
  stop: 'M7 7h10v10H7z',
  tool: 'M14 7a4 4 0 0 1 5-4l-3 3 2 2 3-3a4 4 0 0 1-5 5l-8 9-3-3 8-9',
  pen: 'M5 19l1-4L16 5l3 3L9 18zM14 7l3 3',
  bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  plus: 'M12 5v14M5 12h14',
  book: 'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11M9 8h6',
  lab: 'M9 4h6M10 4v6l-5 8a1.6 1.6 0 0 0 1.4 2.4h11.2A1.6 1.6 0 0 0 19 18l-5-8V4M8 15h8',
  gauge: 'M4 18a9 9 0 1 1 16 0M12 15l4-5M12 15h.01',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 20c1-4 4-6 8-6s7 2 8 6',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  leave: 'M14 5H6v14h8M10 12h10M17 9l3 3-3 3',
  close: 'M6 6l12 12M18 6L6 18',
  upload: 'M12 16V5M8 9l4-4 4 4M5 19h14',
  back: 'M14 6l-6 6 6 6',
  up: 'M7 11v9H4v-9zM7 11l4-7a2 2 0 0 1 2 2v4h6a2 2 0 0 1 2 2.3l-1.2 6a2 2 0 0 1-2 1.7H7',
  down: 'M7 13V4H4v9zM7 13l4 7a2 2 0 0 0 2-2v-4h6a2 2 0 0 0 2-2.3l-1.2-6a2 2 0 0 0-2-1.7H7',
  tick: 'M5 13l5 5L20 7',
  pause: 'M9 6v12M15 6v12',
  question: 'M9 9a3 3 0 1 1 4 2.8c-.7.3-1 .8-1 1.7M12 17.5h.01'
} as const

export type IconName = keyof typeof icons
