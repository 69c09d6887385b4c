"""Items: questions with their gold answers, read from the bank files, imported from elsewhere, sampled.

What a bank folder and its domains say is read by `resources/registries`; asking is `assets/responses`.
"""
