/** Of the package; a test holds the two together. Its manifest is out of reach for the published declarations. */
export const serverVersion = '0.1.0';
