export const later = true;
