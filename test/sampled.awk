# Prints each package that asks internal/sampling, and an expression for the tests that ask: "." stands for all of them,
# where a function that is no test asks.
FNR == 1 { package = FILENAME; sub(/\/[^\/]*$/, "", package) }
/^func / { name = $2; sub(/[(\[].*/, "", name) }
/sampling\.(Of|Whole)\(/ {
	if (name !~ /^Test/) all[package] = 1
	else if (!((package, name) in seen)) tests[package] = tests[package] (package in tests && tests[package] ? "|" : "") name
	seen[package, name] = 1
	packages[package] = 1
}
END { for (p in packages) print "./" p, p in all ? "." : "^(" tests[p] ")$" }
