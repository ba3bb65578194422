-- A history as schema 2 had it, with two nights and accepted cycles.
BEGIN TRANSACTION;
CREATE TABLE accepted_cycles (
    night INTEGER PRIMARY KEY REFERENCES nights ON DELETE CASCADE,
    reason TEXT NOT NULL
);
INSERT INTO "accepted_cycles" VALUES(2,'a faster unit');
CREATE TABLE bucket_jobs (
    bucket INTEGER NOT NULL REFERENCES buckets ON DELETE CASCADE,
    job TEXT NOT NULL,
    PRIMARY KEY (bucket, job)
) WITHOUT ROWID;
INSERT INTO "bucket_jobs" VALUES(1,'x-0');
CREATE TABLE buckets (
    id INTEGER PRIMARY KEY,
    night INTEGER NOT NULL REFERENCES nights ON DELETE CASCADE,
    kind TEXT NOT NULL,
    unit TEXT NOT NULL,
    opcode TEXT NOT NULL,
    role TEXT NOT NULL,
    seed INTEGER,
    first_job TEXT NOT NULL,
    explanation TEXT NOT NULL,
    shrunk TEXT NOT NULL,
    reproduce TEXT NOT NULL,
    UNIQUE (night, kind, unit, opcode, role)
);
INSERT INTO "buckets" VALUES(1,2,'data','matrix','MM','q',1,'x-0','q is wrong','','python -m regressions reproduce x');
CREATE TABLE jobs (
    night INTEGER NOT NULL REFERENCES nights ON DELETE CASCADE,
    name TEXT NOT NULL,
    entry TEXT NOT NULL,
    test TEXT NOT NULL,
    simulator TEXT NOT NULL,
    build TEXT NOT NULL,
    seed INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,            -- of all that decides what it does
    standing INTEGER NOT NULL,            -- its cycles must never change
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    programs INTEGER NOT NULL,
    comparisons INTEGER NOT NULL,
    cycles INTEGER NOT NULL,
    seconds REAL NOT NULL,
    simulation_cpu REAL NOT NULL,
    machine TEXT NOT NULL,
    PRIMARY KEY (night, name)
) WITHOUT ROWID;
INSERT INTO "jobs" VALUES(1,'s-0','s','directed.DirectedTest','icarus','optimized',1,'f3',0,'skipped','why',0,0,0,0.0,0.0,'');
INSERT INTO "jobs" VALUES(1,'v-0','v','directed.DirectedTest','verilator','coverage',1,'f2',0,'passed','',6,100,500,2.0,0.25,'here');
INSERT INTO "jobs" VALUES(1,'x-0','x','directed.DirectedTest','icarus','optimized',1,'f0',1,'passed','',6,100,3000,2.0,1.5,'here');
INSERT INTO "jobs" VALUES(1,'x-1','x','directed.DirectedTest','icarus','optimized',2,'f1',0,'passed','',4,100,1000,2.0,0.5,'here');
INSERT INTO "jobs" VALUES(2,'x-0','x','directed.DirectedTest','icarus','optimized',1,'f0',1,'failed','word 3',6,100,2999,2.0,1.0,'here');
CREATE TABLE nights (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    list TEXT NOT NULL,
    base_seed INTEGER NOT NULL,
    began TEXT NOT NULL,                  -- UTC, ISO 8601: its order is that of time
    revision TEXT NOT NULL,               -- the commit
    chip TEXT NOT NULL,                   -- JSON: the variables that chose the RTL
    whole INTEGER NOT NULL,               -- every job of the list has a result
    good INTEGER NOT NULL,
    problems TEXT NOT NULL,               -- JSON: a list of sentences
    programs INTEGER NOT NULL,
    comparisons INTEGER NOT NULL,
    bins_hit INTEGER,
    bins INTEGER,
    seconds REAL NOT NULL
);
INSERT INTO "nights" VALUES(1,'n1','nightly',77,'2027-01-01T01:00:00+00:00','abc','{}',1,1,'[]',16,200,900,1000,60.0);
INSERT INTO "nights" VALUES(2,'n2','nightly',78,'2027-01-02T01:00:00+00:00','abd','{}',1,0,'["1 failed"]',9,90,NULL,NULL,50.0);
CREATE TABLE throughput (
    night INTEGER NOT NULL REFERENCES nights ON DELETE CASCADE,
    simulator TEXT NOT NULL,
    build TEXT NOT NULL,
    machine TEXT NOT NULL,
    entry TEXT NOT NULL,
    programs INTEGER NOT NULL,
    cycles INTEGER NOT NULL,
    simulation_cpu REAL NOT NULL,         -- seconds, above 0
    PRIMARY KEY (night, simulator, build, machine, entry)
) WITHOUT ROWID;
INSERT INTO "throughput" VALUES(1,'icarus','optimized','here','x',10,4000,2.0);
INSERT INTO "throughput" VALUES(1,'verilator','coverage','here','v',6,500,0.25);
CREATE TABLE versions (
    night INTEGER NOT NULL REFERENCES nights ON DELETE CASCADE,
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (night, tool)
) WITHOUT ROWID;
INSERT INTO "versions" VALUES(1,'icarus','11.0');
CREATE INDEX nights_in_order ON nights (list, chip, began, name);
CREATE INDEX nights_by_time ON nights (began, name);
CREATE INDEX jobs_by_name ON jobs (name, night);
CREATE INDEX standing_jobs ON jobs (fingerprint, night) WHERE standing;
CREATE INDEX standing_jobs_of_nights ON jobs (night, status, standing, fingerprint, cycles) WHERE standing;
CREATE INDEX buckets_by_signature ON buckets (kind, unit, opcode, role, night);
CREATE INDEX throughput_by_entry ON throughput (machine, entry, simulator, build, night);
COMMIT;
PRAGMA application_id = 1195455048;
PRAGMA user_version = 2;
