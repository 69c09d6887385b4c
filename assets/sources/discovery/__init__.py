"""Discovery: pages that could become sources of a domain, looked for by models, taken by a person alone.

A planner writes queries, a search provider answers them, code keeps what the domain's hosts allow, and a file of
candidates waits for a person.
"""
