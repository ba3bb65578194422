"""Reports on coverage databases: percentages, holes in words, the smallest set of runs, exports."""
