-- What the chip's units took in cells, each time that `gates` synthesized it.
CREATE TABLE syntheses (
    id INTEGER PRIMARY KEY,
    began TEXT NOT NULL,
    revision TEXT NOT NULL
);
CREATE TABLE cells (
    synthesis INTEGER NOT NULL REFERENCES syntheses ON DELETE CASCADE,
    unit TEXT NOT NULL,                   -- a module of the RTL
    cells INTEGER NOT NULL,               -- of all its copies
    PRIMARY KEY (synthesis, unit)
) WITHOUT ROWID;
