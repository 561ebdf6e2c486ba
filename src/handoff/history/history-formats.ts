/** Apart from what writes them: code that lists them need not load it. */
export const historyFormats = ['md', 'json', 'atif', 'ai-sdk'] as const;
export type HistoryFormat = (typeof historyFormats)[number];
